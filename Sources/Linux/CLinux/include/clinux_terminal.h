// SPDX-License-Identifier: Apache-2.0
// Process groups, and the foreground of the controlling terminal.
#ifndef CLINUX_TERMINAL_H
#define CLINUX_TERMINAL_H

#include <stdbool.h>
#include <sys/types.h>

// Opens the controlling terminal; -1 if there is none.
int clinux_open_terminal(void);

// Gives the foreground to a process group of this session, even from the background.
bool clinux_set_foreground(int terminal, pid_t group);

// The same, but a process in the background is stopped with its group, as for any change of the terminal, until it is in the
// foreground. False if no shell would continue it (an orphaned process group), or the group no longer exists.
bool clinux_ask_for_foreground(int terminal, pid_t group);

// Whether there is a process in the group.
bool clinux_group_exists(pid_t group);

// Makes a process group for others, and returns its leader: a process that waits until it is killed. -1 with errno set if that fails.
pid_t clinux_fork_leader(void);

// Gives the foreground to this process's group if it belongs to `group`, or to a group that no longer exists.
void clinux_take_terminal_back(int terminal, pid_t group);

#endif
