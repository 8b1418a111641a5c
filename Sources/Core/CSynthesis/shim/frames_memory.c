// SPDX-License-Identifier: Apache-2.0
// See frames_memory.h.
#define _GNU_SOURCE
#include "frames_memory.h"

#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

size_t frames_read(uint64_t at, void *into, size_t size) {
    struct iovec here = {into, size}, there = {(void *)(uintptr_t)at, size};
    long count = syscall(SYS_process_vm_readv, getpid(), &here, 1, &there, 1, 0);
    return count > 0 ? (size_t)count : 0;
}

uint64_t frames_read_word(uint64_t at) {
    uint64_t word;
    return frames_read(at, &word, sizeof word) == sizeof word ? word : 0;
}

uint32_t frames_read_number(uint64_t at) {
    uint32_t number;
    return frames_read(at, &number, sizeof number) == sizeof number ? number : 0;
}

size_t frames_read_text(uint64_t at, char *text, size_t room) {
    // The page after the end of the text may not be mapped. Pages may be larger than this, never smaller.
    enum { page = 4096 };
    for (size_t size = 0; size < room;) {
        size_t part = page - (at + size) % page;
        if (part > room - size) part = room - size;
        if (frames_read(at + size, text + size, part) != part) return 0;
        const char *end = memchr(text + size, '\0', part);
        if (end != NULL) return (size_t)(end - text);
        size += part;
    }
    return 0;
}
