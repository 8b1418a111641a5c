// SPDX-License-Identifier: Apache-2.0
// Counts the heap allocations of an executable.
//
// An executable that has this target in it gets its malloc, calloc, realloc, aligned_alloc, memalign and posix_memalign from
// here: each counts the call and hands it on to the C library. That goes for the Swift runtime and every library too. Where
// a sanitizer, which has an allocator of its own, is built in, nothing is replaced and nothing counted.
#ifndef CALLOCATIONS_H
#define CALLOCATIONS_H

#include <stdint.h>

// Allocations of the calling thread so far.
uint64_t callocations_of_this_thread(void);

#endif
