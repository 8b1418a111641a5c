// SPDX-License-Identifier: Apache-2.0
/// IPv4 addresses that are never synthesised.
#ifndef CSYNTHESIS_EXCLUSION_H
#define CSYNTHESIS_EXCLUSION_H

#include <netinet/in.h>
#include <stdbool.h>

/// A list of excluded networks.
enum exclusion {
    EXCLUDE_NOTHING,
    /// Apple's exclusions, under any prefix.
    EXCLUDE_APPLE,
    /// Apple's additional exclusions under the well-known prefix: the private networks (RFC 6052 §3.1).
    EXCLUDE_PRIVATE,
    /// Android's "special use" addresses.
    EXCLUDE_ANDROID,
};

bool exclusion_covers(enum exclusion exclusion, struct in_addr address);

#endif
