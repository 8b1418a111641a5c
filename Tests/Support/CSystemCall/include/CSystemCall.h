// Any system call, by its number.
#ifndef CSYSTEMCALL_H
#define CSYSTEMCALL_H

// Returns what it returned, or the errno as a negative number.
long csystemcall_make(long number, const long arguments[6]);

// The number by which this machine knows the call; -1 where it does not.
long csystemcall_number(const char *name);

#endif
