// SPDX-License-Identifier: Apache-2.0
// Tables of the networks whose addresses have a meaning only on the client's own side of a NAT64.
#include "exclusion.h"

#include <arpa/inet.h>
#include <stddef.h>
#include <stdint.h>

struct network {
    uint32_t address;
    uint8_t length;
};

#define QUAD(a, b, c, d) ((uint32_t)(a) << 24 | (uint32_t)(b) << 16 | (uint32_t)(c) << 8 | (uint32_t)(d))

/// Each list ends with a network of length 0.
static const struct network apple[] = {
    {QUAD(0, 0, 0, 0), 8},          // this network
    {QUAD(127, 0, 0, 0), 8},        // loopback
    {QUAD(169, 254, 0, 0), 16},     // link-local
    {QUAD(192, 0, 0, 0), 29},       // DS-Lite (RFC 6333 §5.7), hence 464XLAT's inside addresses too
    {QUAD(192, 88, 99, 0), 24},     // 6to4 relay anycast
    {QUAD(224, 0, 0, 0), 4},        // multicast
    {QUAD(255, 255, 255, 255), 32}, // limited broadcast; the rest of 240/4 is synthesised
    {0},
};

static const struct network private[] = {
    {QUAD(10, 0, 0, 0), 8},
    {QUAD(100, 64, 0, 0), 10}, // shared address space (RFC 6598)
    {QUAD(172, 16, 0, 0), 12},
    {QUAD(192, 168, 0, 0), 16},
    {0},
};

static const struct network android[] = {
    {QUAD(0, 0, 0, 0), 8},
    {QUAD(127, 0, 0, 0), 8},
    {QUAD(169, 254, 0, 0), 16},
    {QUAD(224, 0, 0, 0), 4},
    {QUAD(255, 255, 255, 255), 32},
    {0},
};

static const struct network *const lists[] = {
    [EXCLUDE_APPLE] = apple,
    [EXCLUDE_PRIVATE] = private,
    [EXCLUDE_ANDROID] = android,
};

bool exclusion_covers(enum exclusion exclusion, struct in_addr address) {
    if (exclusion == EXCLUDE_NOTHING) return false;
    uint32_t bits = ntohl(address.s_addr);
    for (const struct network *network = lists[exclusion]; network->length != 0; network++) {
        if ((bits ^ network->address) >> (32 - network->length) == 0) return true;
    }
    return false;
}
