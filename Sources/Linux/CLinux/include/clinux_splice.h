// SPDX-License-Identifier: Apache-2.0
// Octets from one descriptor to another without a copy (splice(2)).
#ifndef CLINUX_SPLICE_H
#define CLINUX_SPLICE_H

#include <stddef.h>
#include <sys/types.h>

// pipe2(2), neither end blocks. Returns 0, or -1 with errno set.
int clinux_pipe(int *reading, int *writing);

// One of the two is a pipe. Returns how many were moved, or -1 with errno set: EAGAIN where it would block.
ssize_t clinux_splice(int from, int to, size_t most);

#endif
