// SPDX-License-Identifier: Apache-2.0
// Counts the heap allocations of an executable.
//
// An executable with this target gets its malloc, calloc, realloc, aligned_alloc, memalign and posix_memalign from here: each counts the
// call and forwards it to the C library. The Swift runtime and all libraries use them too. With a sanitizer, which has its own allocator,
// nothing is replaced and nothing counted.
#ifndef CALLOCATIONS_H
#define CALLOCATIONS_H

#include <stdint.h>

// Allocations of the calling thread so far.
uint64_t callocations_of_this_thread(void);

#endif
