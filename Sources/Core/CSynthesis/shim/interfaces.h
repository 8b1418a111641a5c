// SPDX-License-Identifier: Apache-2.0
/// The addresses that this host has.
#ifndef CSYNTHESIS_INTERFACES_H
#define CSYNTHESIS_INTERFACES_H

#include <stdbool.h>
#include <stdint.h>

struct interfaces {
    /// Whether an interface that is up has any IPv6 address: Apple's getaddrinfo counts the loopback's too.
    bool has_ipv6;
    /// Changes if an IPv6 address is added or removed: another network.
    uint64_t fingerprint;
};

struct interfaces interfaces_now(void);

#endif
