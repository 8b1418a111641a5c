// SPDX-License-Identifier: Apache-2.0
#include "CAllocations.h"

#include <errno.h>
#include <stddef.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define CALLOCATIONS_HAS_SANITIZER 1
#endif
#endif

// In the executable itself a thread-local variable has a fixed offset, so access to it allocates nothing.
static _Thread_local uint64_t count;

uint64_t callocations_of_this_thread(void) { return count; }

#ifndef CALLOCATIONS_HAS_SANITIZER

// The C library's allocator, under the names that it provides for replacements of the usual functions. Free is not replaced.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t number, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) {
    count++;
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count++;
    return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
    count++;
    return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
    count++;
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count++;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    count++;
    if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
    void *result = __libc_memalign(alignment, size);
    if (result == NULL) return ENOMEM;
    *memory = result;
    return 0;
}

#endif
