// SPDX-License-Identifier: Apache-2.0
/// Which IPv4 addresses are never synthesised.
#ifndef CSYNTHESIS_EXCLUSION_H
#define CSYNTHESIS_EXCLUSION_H

#include <netinet/in.h>
#include <stdbool.h>

/// A list of excluded networks.
enum exclusion {
    EXCLUDE_NOTHING,
    /// Apple's, under any prefix.
    EXCLUDE_APPLE,
    /// What Apple's leaves out under the well-known prefix besides: the private networks (RFC 6052 §3.1).
    EXCLUDE_PRIVATE,
    /// Android's "special use" addresses.
    EXCLUDE_ANDROID,
};

bool exclusion_covers(enum exclusion exclusion, struct in_addr address);

#endif
