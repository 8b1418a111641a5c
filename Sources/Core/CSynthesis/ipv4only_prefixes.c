// SPDX-License-Identifier: Apache-2.0
// RFC 7050 §3: from addresses to prefixes. A well-known IPv4 address (192.0.0.170 or .171) in an AAAA record, at the position of one of the
// six RFC 6052 formats, reveals the prefix's length. A prefix may by chance contain the same 32 bits, so that an address matches more than
// one format; then only the other well-known address can decide, since a DNS64 makes an AAAA record for each of the two under the same
// prefix.
#include "include/ipv4only.h"

#include <arpa/inet.h>
#include <string.h>

enum { WELL_KNOWN_FIRST = 0xc00000aa, WELL_KNOWN_SECOND = 0xc00000ab };

/// The well-known address at the position of a format, in host order, or 0.
static uint32_t well_known_at(const struct in6_addr *address, uint8_t length) {
    uint32_t bits = ntohl(pref64_extract(address, length).s_addr);
    return bits == WELL_KNOWN_FIRST || bits == WELL_KNOWN_SECOND ? bits : 0;
}

/// Whether the answer also has the other well-known address in the same format under the same prefix.
static bool has_sibling(const struct ipv4only_answer *answer, const struct pref64 *prefix, uint32_t well_known) {
    uint32_t other = well_known ^ WELL_KNOWN_FIRST ^ WELL_KNOWN_SECOND;
    for (size_t i = 0; i < answer->count; i++) {
        struct pref64 candidate = pref64_of(&answer->addresses[i], prefix->length);
        bool same = memcmp(&candidate.address, &prefix->address, sizeof candidate.address) == 0;
        if (same && well_known_at(&answer->addresses[i], prefix->length) == other) return true;
    }
    return false;
}

/// The formats in which an address can be read. With `siblings_only` the other well-known address is required as a proof.
static size_t readings(
    const struct ipv4only_answer *answer, const struct in6_addr *address, bool siblings_only, struct pref64 *reading
) {
    size_t count = 0;
    for (size_t i = 0; i < sizeof pref64_lengths; i++) {
        struct pref64 prefix = pref64_of(address, pref64_lengths[i]);
        uint32_t well_known = well_known_at(address, prefix.length);
        // Octet 8 is zero in every format (RFC 6052 §2.2); an address with another value was not made by this algorithm.
        if (well_known == 0 || address->s6_addr[8] != 0 || !pref64_is_valid(&prefix)) continue;
        if (siblings_only && !has_sibling(answer, &prefix, well_known)) continue;
        *reading = prefix;
        count++;
    }
    return count;
}

void ipv4only_prefixes(const struct ipv4only_answer *answer, struct pref64_list *prefixes) {
    prefixes->count = 0;
    for (size_t i = 0; i < answer->count; i++) {
        struct pref64 reading;
        size_t count = readings(answer, &answer->addresses[i], false, &reading);
        if (count > 1) count = readings(answer, &answer->addresses[i], true, &reading);
        // Still ambiguous: no prefix is better than a wrong one.
        if (count == 1) pref64_list_add(prefixes, &reading);
    }
}
