// SPDX-License-Identifier: Apache-2.0
// Checks that this process's limits allow what it is about to do. Libraries end the process, or wait for ever, if they cannot make
// a thread, so this is tried before they are used.
#ifndef CLINUX_ROOM_H
#define CLINUX_ROOM_H

#include <stddef.h>

enum {
    clinux_room_enough = 0,
    clinux_room_no_threads = 1,
    clinux_room_no_memory = 2,
    clinux_room_no_descriptors = 3,
};

// If there is a limit that is not ample, makes so many threads (at most 64) at a time, with so many octets of address space reserved, and
// ends them again. `descriptors` is the required minimum of the limit of open files. Returns the lacking resource, with errno set.
int clinux_rehearse_room(int threads, size_t memory, int descriptors);

#endif
