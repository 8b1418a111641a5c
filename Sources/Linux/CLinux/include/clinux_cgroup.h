// SPDX-License-Identifier: Apache-2.0
// A control group for the client, if there is no PID namespace: the kernel kills all its processes at once (cgroup.kill, Linux 5.14),
// even if the client has killed its keeper and guard (clinux_keeper.h). It requires a cgroup v2 that is delegated to this user, as by
// systemd and some container engines.
//
// The group is below this process's own group. Its name is ipv6check-PID, with the process ID of the guard (the launcher's process,
// clinux_keeper.h), so that the runner finds it as well. All callers must be in the same group as the maker was.
#ifndef CLINUX_CGROUP_H
#define CLINUX_CGROUP_H

#include <stdbool.h>
#include <sys/types.h>

// Makes the group of this guard. False if that is not possible.
bool clinux_make_cgroup(pid_t guard);

// Moves the calling process into the group; its future children start there. Does nothing if that fails.
void clinux_enter_cgroup(pid_t guard);

// Kills all processes in the group, waits about 0.5 s at most until it is empty, and removes it. Does nothing if there is no such group.
void clinux_end_cgroup(pid_t guard);

#endif
