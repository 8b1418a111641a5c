// SPDX-License-Identifier: Apache-2.0
// A control group of the client's own, where there is no PID namespace: the kernel ends everything in it at once
// (cgroup.kill, Linux 5.14), whatever has been killed before. It takes a cgroup v2 below which this user may make groups, as
// systemd and some container engines delegate one.
//
// The group lies below this process's own, and is named by the guard's process id, by which the runner finds it, too.
#ifndef CLINUX_CGROUP_H
#define CLINUX_CGROUP_H

#include <stdbool.h>
#include <sys/types.h>

// Makes the group of this guard. False where there can be none.
bool clinux_make_cgroup(pid_t guard);

// Moves the calling process into it; its children to come are born there.
void clinux_enter_cgroup(pid_t guard);

// Ends all that is in the group, and removes it. Nothing happens where there is none.
void clinux_end_cgroup(pid_t guard);

#endif
