// SPDX-License-Identifier: Apache-2.0
/// Applies the rules: getaddrinfo with synthesis, made from a getaddrinfo without.
#ifndef CSYNTHESIS_LOOKUP_H
#define CSYNTHESIS_LOOKUP_H

#include "synthesis.h"

/// The machine as the rules see it. Each function is called only if a rule needs its result.
struct synthesis_host {
    int (*getaddrinfo)(
        const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **answer);
    void (*freeaddrinfo)(struct addrinfo *answer);
    /// Whether an interface that is up has an IPv6 address.
    bool (*has_ipv6)(void *context);
    /// Whether a UDP socket can be connected to the address.
    bool (*reaches_ipv4)(void *context, struct in_addr address);
    /// The Pref64s of the network; none if there is no NAT64.
    void (*prefixes)(void *context, struct pref64_list *list);
    void *context;
};

struct synthesis_outcome {
    enum synthesis_reason reason;
    /// The number of entries of the answer with a synthesised address.
    unsigned synthesised;
};

/// Like getaddrinfo. Every entry of the answer comes from `host->getaddrinfo`, added ones one by one: free the answer with
/// `synthesis_freeaddrinfo`. If nothing is synthesised, the result is that of the real function, error code and errno included.
int synthesis_getaddrinfo(
    enum synthesis_profile profile, const struct synthesis_question *question, const struct synthesis_host *host,
    struct addrinfo **answer, struct synthesis_outcome *outcome);

/// Frees an answer entry by entry.
///
/// POSIX has freeaddrinfo free "arbitrary sublists" of a list, so freeing one entry at a time is correct for every libc, also for entries
/// of several lists that were joined. Freeing a whole joined list is not: musl counts the entries up to the end and subtracts that number
/// from the last list's reference count.
void synthesis_freeaddrinfo(struct addrinfo *answer, void (*freeaddrinfo)(struct addrinfo *));

/// An imagined machine, for `ipv6check resolve`.
struct synthesis_imagined_host {
    bool has_ipv6;
    bool reaches_ipv4;
    struct pref64_list prefixes;
};

/// The answer of getaddrinfo under a profile on an imagined host. Numeric nodes never leave the process; names go to this process's own
/// getaddrinfo. Free the answer with `synthesis_free`.
int synthesis_resolve(
    enum synthesis_profile profile, const struct synthesis_question *question,
    const struct synthesis_imagined_host *imagined, struct addrinfo **answer, struct synthesis_outcome *outcome);

/// Frees an answer of `synthesis_resolve`.
void synthesis_free(struct addrinfo *answer);

#endif
