// SPDX-License-Identifier: Apache-2.0
// Permanently drops the rights that a process that reads untrusted input does not need.
#ifndef CLINUX_CONFINEMENT_H
#define CLINUX_CONFINEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum {
    clinux_cap_kill = 5,
    clinux_cap_net_bind_service = 10,
    // The user and group `nobody`.
    clinux_nobody = 65534,
};

// fork(), to be called while the process has one thread.
pid_t clinux_fork(void);
// Like `clinux_fork`, but the new process is a child of this one's parent.
pid_t clinux_fork_sibling(void);

// Replaces standard input and output by /dev/null.
int clinux_drop_standard_streams(void);
// Closes every descriptor above standard error except `kept`, which must be in ascending order.
int clinux_close_others(const int *kept, size_t count);

// Switches to an empty, read-only root: a mount namespace that contains nothing else.
int clinux_empty_root(void);
// The same for a process that may not do that: chroot into the /proc folder of a process that has ended.
int clinux_empty_root_by_chroot(void);

// Switches to the user and group `clinux_nobody` without supplementary groups. The capabilities in `kept` are kept; the rest is for
// `clinux_set_capabilities`.
int clinux_become_nobody(uint64_t kept);

// Exec gives no rights any more, and only root's processes may inspect this one.
int clinux_forbid_new_rights(void);

#endif
