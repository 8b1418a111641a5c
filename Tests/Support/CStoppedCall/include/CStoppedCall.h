// A program that is stopped at its first connect(2), and what a tracer sees of its stack there.
#ifndef CSTOPPEDCALL_H
#define CSTOPPEDCALL_H

#include <stddef.h>
#include <stdint.h>

struct cstoppedcall {
    // In DWARF's order.
    uint64_t registers[33];
    size_t register_count;
    uint64_t address;
    size_t length;
    size_t maps_length;
    // The caller's.
    uint8_t *stack;
    uint8_t *maps;
    size_t room;
};

// 0 where it was seen; the program has ended then.
int cstoppedcall_take(char *const arguments[], struct cstoppedcall *call);

#endif
// SPDX-License-Identifier: Apache-2.0
