// SPDX-License-Identifier: Apache-2.0
// A control group for the client, if there is no PID namespace: the kernel kills all its processes at once (cgroup.kill, Linux 5.14),
// whichever have been killed before. It requires a cgroup v2 in which this user may make groups, as systemd and some container engines
// delegate one.
//
// The group is below this process's own group, and is named after the guard's process id, by which the runner finds it, too.
#ifndef CLINUX_CGROUP_H
#define CLINUX_CGROUP_H

#include <stdbool.h>
#include <sys/types.h>

// Makes the group of this guard. False if that is not possible.
bool clinux_make_cgroup(pid_t guard);

// Moves the calling process into the group; its future children start there.
void clinux_enter_cgroup(pid_t guard);

// Kills all processes in the group, and removes it. Does nothing if there is none.
void clinux_end_cgroup(pid_t guard);

#endif
