// SPDX-License-Identifier: Apache-2.0
/// The differences between profiles.
#ifndef CSYNTHESIS_PROFILES_H
#define CSYNTHESIS_PROFILES_H

#include "exclusion.h"
#include "include/synthesis.h"

struct profile {
    const char *name;
    /// Whether literals are synthesised at all.
    bool literals;
    enum synthesis_of_names names;
    /// Empty strings count as NULL.
    bool empty_is_null;
    /// The IPv4 address follows the synthesised ones if the flags allow it (rule 8).
    bool appends_ipv4;
    /// Flags 0 mean the default flags, which include AI_ADDRCONFIG (rule 1).
    bool zero_flags_mean_default;
    /// The answer carries port 0 for a service given as a number.
    bool drops_numeric_port;
    /// No synthesis on a host without an IPv6 address.
    bool needs_ipv6_address;
    /// No synthesis if an IPv4 socket can be connected.
    bool needs_unreachable_ipv4;
    /// Only the network's first prefix, and only if it is a /96.
    bool only_first_96;
    /// A synthesised address has the name of its embedded IPv4 address.
    bool names_synthesised;
    enum exclusion always_excluded;
    enum exclusion excluded_under_well_known_prefix;
};

const struct profile *profile_rules(enum synthesis_profile profile);

#endif
