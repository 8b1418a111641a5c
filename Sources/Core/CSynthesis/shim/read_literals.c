// SPDX-License-Identifier: Apache-2.0
// See read_literals.h: a set in a table of fixed size. An address for which there is no room counts as not read.
#include "read_literals.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum { READ_MAX = 512 };

/// In network order; 0 is a free slot. 0.0.0.0 is never synthesised.
static _Atomic uint32_t literals[READ_MAX];

static size_t place(uint32_t address, size_t probe) {
    // 2^32 divided by the golden ratio, which spreads adjacent addresses.
    return (address * UINT32_C(2654435769) / (UINT32_MAX / READ_MAX + 1) + probe) % READ_MAX;
}

void read_literals_add(struct in_addr address) {
    if (address.s_addr == 0) return;
    for (size_t probe = 0; probe < READ_MAX; probe++) {
        uint32_t found = 0;
        if (atomic_compare_exchange_strong(&literals[place(address.s_addr, probe)], &found, address.s_addr)) return;
        if (found == address.s_addr) return;
    }
}

bool read_literals_contain(struct in_addr address) {
    if (address.s_addr == 0) return false;
    for (size_t probe = 0; probe < READ_MAX; probe++) {
        uint32_t found = atomic_load(&literals[place(address.s_addr, probe)]);
        if (found == 0 || found == address.s_addr) return found != 0;
    }
    return false;
}
