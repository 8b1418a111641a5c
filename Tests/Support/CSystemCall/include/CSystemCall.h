// SPDX-License-Identifier: Apache-2.0
// Any system call, by its number.
#ifndef CSYSTEMCALL_H
#define CSYSTEMCALL_H

// Returns what it returned, or the errno as a negative number.
long csystemcall_make(long number, const long arguments[6]);

// The same in the main thread of another process, which is stopped meanwhile: in `begin`, and goes on with what it did in
// `end`. It is to be waiting in a system call. Where this fails, it returns -1 with errno set; ENOTSUP: not on this machine.
struct csystemcall_victim;
struct csystemcall_victim *csystemcall_begin(int process);
long csystemcall_make_in(struct csystemcall_victim *victim, long number, const long arguments[6]);
void csystemcall_end(struct csystemcall_victim *victim);

// The number by which this machine knows the call; -1 where it does not.
long csystemcall_number(const char *name);

#endif
