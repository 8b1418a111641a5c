// SPDX-License-Identifier: Apache-2.0
// Event sources of a loop.
#ifndef CLINUX_EVENT_H
#define CLINUX_EVENT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

// Signals as a set of bits: bit n - 1 is signal n, as in /proc/PID/status.

// pthread_sigmask(SIG_SETMASK); returns the previous mask.
int clinux_set_blocked_signals(uint64_t blocked, uint64_t *previous);
uint64_t clinux_blocked_signals(void);

// The signals whose disposition is SIG_IGN.
uint64_t clinux_ignored_signals(void);
// Sets a signal's disposition to SIG_IGN or SIG_DFL.
int clinux_ignore_signal(int number, int ignored);

// Makes the kernel send the signal to this process when the thread that started it ends.
int clinux_signal_when_parent_ends(int number);

// A descriptor that reads these signals, non-blocking and close-on-exec; they must be blocked.
int clinux_signal_descriptor(uint64_t signals);
// The number of the next signal, and whether it was sent by the kernel, as if typed at a terminal, or by this process itself; 0 if there
// is none, -1 on an error.
int clinux_next_signal(int descriptor, bool *is_typed);

// Gives the calling thread a sixtieth of another's share of the processors from now on (nice 19): undoing it requires privileges
// (sched(7)).
bool clinux_yield_to_others(void);

// pthread_setname_np for the calling thread; a longer name is truncated.
void clinux_name_thread(const char *name);

#endif
