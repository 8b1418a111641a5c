// SPDX-License-Identifier: Apache-2.0
// Whether the limits of this process leave room for what it is about to do. Libraries end the process, or wait for ever, where
// a thread cannot be made; so this is tried before they are used.
#ifndef CLINUX_ROOM_H
#define CLINUX_ROOM_H

#include <stddef.h>

enum {
    clinux_room_enough = 0,
    clinux_room_no_threads = 1,
    clinux_room_no_memory = 2,
    clinux_room_no_descriptors = 3,
};

// Where there is a limit that is not ample, makes so many threads (at most 64) at a time beside so many octets of address
// space, and ends them again. `descriptors` is what the limit of open files is to be at least. Returns what there is no room for, with errno set.
int clinux_rehearse_room(int threads, size_t memory, int descriptors);

#endif
