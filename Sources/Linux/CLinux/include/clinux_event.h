// SPDX-License-Identifier: Apache-2.0
// What a loop waits for.
#ifndef CLINUX_EVENT_H
#define CLINUX_EVENT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

// Signals as a set of bits: bit n - 1 is signal n, as in /proc/PID/status.

// pthread_sigmask(SIG_SETMASK), and what was blocked before.
int clinux_set_blocked_signals(uint64_t blocked, uint64_t *previous);
uint64_t clinux_blocked_signals(void);

// Which signals have the disposition SIG_IGN.
uint64_t clinux_ignored_signals(void);
// SIG_IGN or SIG_DFL for one signal.
int clinux_ignore_signal(int number, int ignored);

// Has the signal sent to this process when the thread that started it ends.
int clinux_signal_when_parent_ends(int number);

// A descriptor that reads these signals, non-blocking and close-on-exec; they must be blocked.
int clinux_signal_descriptor(uint64_t signals);
// The number of the next signal, and whether the kernel sent it, as for what is typed at a terminal, or this process itself; 0 where there
// is none, -1 on an error.
int clinux_next_signal(int descriptor, bool *is_typed);

// The calling thread gets a sixtieth of another's share of the processors from now on (nice 19): the way back takes a right (sched(7)).
bool clinux_yield_to_others(void);

// pthread_setname_np for the calling thread; a longer name is cut.
void clinux_name_thread(const char *name);

#endif
