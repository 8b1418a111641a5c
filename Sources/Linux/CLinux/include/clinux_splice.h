// SPDX-License-Identifier: Apache-2.0
// Moves octets from one descriptor to another without copying (splice(2)).
#ifndef CLINUX_SPLICE_H
#define CLINUX_SPLICE_H

#include <stddef.h>
#include <sys/types.h>

// pipe2(2), both ends non-blocking. Returns 0, or -1 with errno set.
int clinux_pipe(int *reading, int *writing);

// One of the two must be a pipe. Returns the number of octets moved, or -1 with errno set: EAGAIN if it would block.
ssize_t clinux_splice(int from, int to, size_t most);

#endif
