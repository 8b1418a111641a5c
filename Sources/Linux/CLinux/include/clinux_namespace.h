// SPDX-License-Identifier: Apache-2.0
// Namespaces, mounts, capabilities: what makes a place of one's own and takes rights away again.
#ifndef CLINUX_NAMESPACE_H
#define CLINUX_NAMESPACE_H

#include <stdbool.h>
#include <stdint.h>

// What unshare() may make anew.
enum {
    clinux_new_user = 0x10000000,
    clinux_new_network = 0x40000000,
    clinux_new_mounts = 0x00020000,
};

int clinux_unshare(int what);
// Tries the same in a child, which ends: 0, or the errno that this process would get. There must be one thread.
int clinux_try_unshare(int what);
// Moves the calling thread into the network namespace that the descriptor stands for.
int clinux_enter_network(int descriptor);

// Keeps every later mount of this namespace from showing in another, and the other way round.
int clinux_make_mounts_private(void);
// A memory file system for small files. A shared library may be one of them, so they can be executed.
int clinux_mount_memory(const char *target);
// A copy of `lower` with what is in `upper` over it; `work` is an empty folder beside `upper`.
int clinux_mount_overlay(const char *lower, const char *upper, const char *work, const char *target);
// The kernel's objects as the calling thread's network namespace has them; to be mounted by the owner of that.
int clinux_mount_sysfs(const char *target);
// Shows `source` at `target`; symbolic links are followed.
int clinux_mount_bind(const char *source, const char *target);
// Takes away what was last mounted there, in use or not.
int clinux_detach_mount(const char *target);

// The five sets of a thread; bit n is capability n.
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
// Brings the calling thread to exactly these, as far as they are a part of what it has. The bounding set only shrinks.
int clinux_set_capabilities(const struct clinux_capabilities *capabilities);

// Whether the file gives capabilities to the process that executes it (security.capability).
bool clinux_has_file_capabilities(const char *path);

// An anonymous file in memory, close-on-exec.
int clinux_memory_file(const char *name);

// A file without a name in this folder, open for writing, close-on-exec (O_TMPFILE); linkat() gives it one.
int clinux_unnamed_file(const char *folder);

#endif
