// SPDX-License-Identifier: Apache-2.0
// A PID namespace for the client's tree, and the /proc that shows it.
#ifndef CLINUX_PIDS_H
#define CLINUX_PIDS_H

#include <sys/types.h>

// fork(), and the child is PID 1 of a new PID namespace. It is to end by _exit.
pid_t clinux_fork_init(void);

// Shows the PID namespace of the calling process at /proc, in its mount namespace. What is mounted below /proc, by which
// containers hide some files, stays there. Returns 0 or an errno; then nothing has changed.
int clinux_show_own_pids(void);

#endif
