// SPDX-License-Identifier: Apache-2.0
/// Memory for one call, off the stack: a program may call the shim on a thread with a stack of 16 kB (PTHREAD_STACK_MIN), of which an
/// interposed function takes 2 kB at most.
///
/// It comes straight from the kernel and is returned there. No malloc and no lock: exec is called between fork and exec, and by children of
/// vfork, which share their parent's memory.
#ifndef CSYNTHESIS_SCRATCH_H
#define CSYNTHESIS_SCRATCH_H

#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/// `size` octets of zeros; NULL if the kernel gives none (RLIMIT_AS).
static inline void *scratch_take(size_t size) {
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

/// Not by munmap, which waits for a lock in musl.
static inline void scratch_give_back(void *memory, size_t size) { syscall(SYS_munmap, memory, size); }

#endif
