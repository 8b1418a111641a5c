// SPDX-License-Identifier: Apache-2.0
/// The second pass: additions to the answer for a name.
#ifndef CSYNTHESIS_NAMES_H
#define CSYNTHESIS_NAMES_H

#include "include/lookup.h"

/// Whether an answer has IPv4 addresses only. For Apple's profiles IPv4-mapped ones count as IPv4.
bool names_is_ipv4_only(const struct synthesis_plan *plan, const struct addrinfo *answer);

/// Adds the synthesised addresses to an answer that is IPv4 only. The answer is complete in any case.
enum synthesis_reason names_synthesise(
    const struct synthesis_plan *plan, const struct synthesis_host *host, const struct pref64_list *prefixes,
    struct addrinfo **answer, unsigned *synthesised);

/// Removes the IPv4 addresses of an answer to which names_synthesise has added.
void names_drop_ipv4(struct addrinfo **answer, void (*freeaddrinfo)(struct addrinfo *));

#endif
