// SPDX-License-Identifier: Apache-2.0
// Giving up for good what a process does not need that reads what strangers send.
#ifndef CLINUX_CONFINEMENT_H
#define CLINUX_CONFINEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum {
    clinux_cap_kill = 5,
    clinux_cap_net_bind_service = 10,
    // Who owns nothing (nobody).
    clinux_nobody = 65534,
};

// fork, while the process has one thread.
pid_t clinux_fork(void);
// The same, and the new process is a child of this one's parent.
pid_t clinux_fork_sibling(void);

// Puts /dev/null in the place of standard input and output.
int clinux_drop_standard_streams(void);
// Closes every descriptor above standard error but for `kept`, which are in ascending order.
int clinux_close_others(const int *kept, size_t count);

// An empty, read-only root: a mount namespace in which there is nothing else.
int clinux_empty_root(void);
// The same for one who may not make that: chroot into the folder of a process that has ended.
int clinux_empty_root_by_chroot(void);

// Takes the user and group `clinux_nobody` and no other group. Of the capabilities, those of this set stay; the rest is for
// `clinux_set_capabilities`.
int clinux_become_nobody(uint64_t kept);

// No exec gives rights any more, and no process but root's may look into this one.
int clinux_forbid_new_rights(void);

#endif
