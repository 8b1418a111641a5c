// SPDX-License-Identifier: Apache-2.0
/// Carries out the rules: getaddrinfo with synthesis, made of a getaddrinfo without.
#ifndef CSYNTHESIS_LOOKUP_H
#define CSYNTHESIS_LOOKUP_H

#include "synthesis.h"

/// What the rules ask of the machine. Each function is called only where a rule needs its answer.
struct synthesis_host {
    int (*getaddrinfo)(
        const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **answer);
    void (*freeaddrinfo)(struct addrinfo *answer);
    /// Whether an interface that is up has an IPv6 address.
    bool (*has_ipv6)(void *context);
    /// Whether a UDP socket can be connected to the address.
    bool (*reaches_ipv4)(void *context, struct in_addr address);
    /// The Pref64s of the network; none where there is no NAT64.
    void (*prefixes)(void *context, struct pref64_list *list);
    void *context;
};

struct synthesis_outcome {
    enum synthesis_reason reason;
    /// How many of the answer's entries have a synthesised address.
    unsigned synthesised;
};

/// As getaddrinfo. Every entry of the answer comes from `host->getaddrinfo`, one by one where it was added: free it
/// with `synthesis_freeaddrinfo`. Where nothing is synthesised, the result is the real one's, error code and errno
/// included.
int synthesis_getaddrinfo(
    enum synthesis_profile profile, const struct synthesis_question *question, const struct synthesis_host *host,
    struct addrinfo **answer, struct synthesis_outcome *outcome);

/// Frees an answer entry by entry.
///
/// POSIX has freeaddrinfo free "arbitrary sublists" of a list, so one entry at a time is right for every libc, and it
/// is right for entries of several lists that were joined. A whole joined list is not: musl counts the entries up to
/// the end and takes that number off the last list's reference count.
void synthesis_freeaddrinfo(struct addrinfo *answer, void (*freeaddrinfo)(struct addrinfo *));

/// A machine as one imagines it, for `ipv6check resolve`.
struct synthesis_imagined_host {
    bool has_ipv6;
    bool reaches_ipv4;
    struct pref64_list prefixes;
};

/// What getaddrinfo would answer under a profile on an imagined host. Numeric nodes never leave the process; names go
/// to this process's own getaddrinfo. Free the answer with `synthesis_free`.
int synthesis_resolve(
    enum synthesis_profile profile, const struct synthesis_question *question,
    const struct synthesis_imagined_host *imagined, struct addrinfo **answer, struct synthesis_outcome *outcome);

/// Frees what `synthesis_resolve` answered.
void synthesis_free(struct addrinfo *answer);

#endif
