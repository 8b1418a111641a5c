// SPDX-License-Identifier: Apache-2.0
// Namespaces, mounts and capabilities: functions that isolate a process and drop its rights.
#ifndef CLINUX_NAMESPACE_H
#define CLINUX_NAMESPACE_H

#include <stdbool.h>
#include <stdint.h>

// Namespaces that unshare() may make.
enum {
    clinux_new_user = 0x10000000,
    clinux_new_network = 0x40000000,
    clinux_new_mounts = 0x00020000,
};

int clinux_unshare(int what);
// Tries the same in a child process: 0, or the errno that this process would get. To be called while there is one thread.
int clinux_try_unshare(int what);
// Moves the calling thread into the network namespace of the descriptor.
int clinux_enter_network(int descriptor);

// Stops the propagation of later mounts between this namespace and others.
int clinux_make_mounts_private(void);
// Mounts a memory file system for small files. Execution is permitted, as a shared library may be one of them.
int clinux_mount_memory(const char *target);
// Mounts `lower` with the files of `upper` over it; `work` is an empty folder beside `upper`.
int clinux_mount_overlay(const char *lower, const char *upper, const char *work, const char *target);
// Mounts a sysfs of the calling thread's network namespace; only the owner of that namespace may.
int clinux_mount_sysfs(const char *target);
// Shows `source` at `target`; symbolic links are followed.
int clinux_mount_bind(const char *source, const char *target);
// Unmounts the topmost mount there, even if it is in use.
int clinux_detach_mount(const char *target);

// A thread's five capability sets; bit n is capability n.
struct clinux_capabilities {
    uint64_t effective;
    uint64_t permitted;
    uint64_t inheritable;
    uint64_t ambient;
    uint64_t bounding;
};

enum {
    clinux_cap_dac_override = 1,
    clinux_cap_setpcap = 8,
    clinux_cap_net_admin = 12,
    clinux_cap_net_raw = 13,
    clinux_cap_sys_admin = 21,
    clinux_cap_setfcap = 31,
};

int clinux_get_capabilities(struct clinux_capabilities *capabilities);
// Sets exactly these capabilities, as far as the calling thread has them. The bounding set only shrinks.
int clinux_set_capabilities(const struct clinux_capabilities *capabilities);

// Whether the file gives capabilities to the process that executes it (security.capability).
bool clinux_has_file_capabilities(const char *path);

// An anonymous file in memory, close-on-exec.
int clinux_memory_file(const char *name);

// A file without a name in this folder, open for writing, close-on-exec (O_TMPFILE); linkat() can give it a name.
int clinux_unnamed_file(const char *folder);

#endif
