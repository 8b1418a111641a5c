// SPDX-License-Identifier: Apache-2.0
// A PID namespace for the client's processes, and the /proc that shows it.
#ifndef CLINUX_PIDS_H
#define CLINUX_PIDS_H

#include <sys/types.h>

// Like fork(), but the child is PID 1 of a new PID namespace. The child must end by _exit.
pid_t clinux_fork_init(void);

// Shows the PID namespace of the calling process at /proc, in its mount namespace. Mounts below /proc, by which containers hide some
// files, are kept. Returns 0 or an errno; then nothing has changed.
int clinux_show_own_pids(void);

#endif
