// SPDX-License-Identifier: Apache-2.0
/// RFC 7050: a client learns its network's Pref64s by asking for the AAAA records of `ipv4only.arpa`, a name that has A records only
/// (192.0.0.170 and .171), so that any AAAA record was synthesised. Messages in, prefixes out; no I/O.
#ifndef CSYNTHESIS_IPV4ONLY_H
#define CSYNTHESIS_IPV4ONLY_H

#include "pref64.h"

enum {
    IPV4ONLY_QUERY_SIZE = 31,
    /// The number of AAAA records of an answer that are examined.
    IPV4ONLY_ADDRESSES_MAX = 64,
};

/// The query for AAAA, RD=1 CD=0 (RFC 7050 §3). The bits of `letters` choose upper case for the letters of the name: an answer that does
/// not repeat them does not belong to this query.
void ipv4only_query(uint8_t query[IPV4ONLY_QUERY_SIZE], uint16_t id, uint16_t letters);

/// The meaning of a message for the sender of a query.
enum ipv4only_reply {
    /// Not an answer to this query: another id or question, a query, or garbage.
    IPV4ONLY_NOT_OURS,
    /// TC: ask again over TCP.
    IPV4ONLY_TRUNCATED,
    /// The server could not answer; another one may.
    IPV4ONLY_FAILED,
    /// There are no AAAA records: no DNS64 here.
    IPV4ONLY_NO_ADDRESS,
    IPV4ONLY_ADDRESSES,
};

struct ipv4only_answer {
    size_t count;
    struct in6_addr addresses[IPV4ONLY_ADDRESSES_MAX];
    /// Validity in seconds, by the records' TTL, or for no address by the SOA (RFC 2308 §5).
    uint32_t ttl;
};

/// Reads a reply; never past `size`, never more than once over each record. With `exact` the letters of the name must equal the query's.
enum ipv4only_reply ipv4only_read(
    const uint8_t *message, size_t size, const uint8_t query[IPV4ONLY_QUERY_SIZE], bool exact,
    struct ipv4only_answer *answer);

/// The prefixes under which the addresses were synthesised, in the order of the addresses (RFC 7050 §3).
void ipv4only_prefixes(const struct ipv4only_answer *answer, struct pref64_list *prefixes);

#endif
