// SPDX-License-Identifier: Apache-2.0
/// A 64-bit FNV-1a hash. It detects changes of the network, where a collision costs one outdated answer, and identifies calls, where it
/// costs the report of one.
#ifndef CSYNTHESIS_FINGERPRINT_H
#define CSYNTHESIS_FINGERPRINT_H

#include <stddef.h>
#include <stdint.h>

#define FINGERPRINT_SEED UINT64_C(0xcbf29ce484222325)

static inline uint64_t fingerprint_add(uint64_t fingerprint, const void *octets, size_t size) {
    const uint8_t *at = octets;
    for (size_t i = 0; i < size; i++) fingerprint = (fingerprint ^ at[i]) * UINT64_C(0x100000001b3);
    return fingerprint;
}

#endif
