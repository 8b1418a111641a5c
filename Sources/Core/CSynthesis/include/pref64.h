// SPDX-License-Identifier: Apache-2.0
/// Pref64: an IPv6 prefix under which a NAT64 maps the IPv4 Internet (RFC 6052).
#ifndef CSYNTHESIS_PREF64_H
#define CSYNTHESIS_PREF64_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A Pref64::/n; bits past `length` are zero.
struct pref64 {
    struct in6_addr address;
    uint8_t length;
};

/// The number of prefixes that are kept for one network; further ones are ignored.
enum { PREF64_MAX = 8 };

/// The prefixes of one network, in the order in which they were learnt, without duplicates.
struct pref64_list {
    uint8_t count;
    struct pref64 items[PREF64_MAX];
};

/// The six lengths that RFC 6052 §2.2 allows, longest first.
extern const uint8_t pref64_lengths[6];

/// Whether the length is one of the six, bits 64 to 71 are zero (RFC 6052 §2.2), and a host could send to addresses under the prefix: it is
/// not IPv4-mapped, unspecified, loopback, link-local or multicast.
bool pref64_is_valid(const struct pref64 *prefix);

/// Whether this is 64:ff9b::/96 (RFC 6052 §2.1).
bool pref64_is_well_known(const struct pref64 *prefix);

/// The prefix of the given length that `address` lies in.
struct pref64 pref64_of(const struct in6_addr *address, uint8_t length);

/// The IPv6 address for `ipv4` under the prefix (RFC 6052 §2.2); the suffix is zero.
struct in6_addr pref64_embed(const struct pref64 *prefix, struct in_addr ipv4);

/// The 32 bits at the position of the IPv4 address under a prefix of this length.
struct in_addr pref64_extract(const struct in6_addr *address, uint8_t length);

/// Appends a valid prefix that the list does not contain yet; false if it is invalid or the list is full.
bool pref64_list_add(struct pref64_list *list, const struct pref64 *prefix);

/// Reads `64:ff9b::/96`; false for anything that `pref64_is_valid` refuses, and for set bits past the length.
bool pref64_parse(const char *text, struct pref64 *prefix);

/// Reads prefixes separated by commas, and skips invalid ones. Returns the number of invalid ones.
size_t pref64_list_parse(const char *text, struct pref64_list *list);

#endif
