// SPDX-License-Identifier: Apache-2.0
// The engine of `ipv6check resolve`: the same rules on an imagined machine.
#define _GNU_SOURCE
#include "include/lookup.h"

#include <netdb.h>

static bool imagined_has_ipv6(void *context) { return ((const struct synthesis_imagined_host *)context)->has_ipv6; }

static bool imagined_reaches_ipv4(void *context, struct in_addr address) {
    (void)address;
    return ((const struct synthesis_imagined_host *)context)->reaches_ipv4;
}

static void imagined_prefixes(void *context, struct pref64_list *list) {
    *list = ((const struct synthesis_imagined_host *)context)->prefixes;
}

int synthesis_resolve(
    enum synthesis_profile profile, const struct synthesis_question *question,
    const struct synthesis_imagined_host *imagined, struct addrinfo **answer, struct synthesis_outcome *outcome
) {
    struct synthesis_imagined_host copy = *imagined;
    const struct synthesis_host host = {
        .getaddrinfo = getaddrinfo,
        .freeaddrinfo = freeaddrinfo,
        .has_ipv6 = imagined_has_ipv6,
        .reaches_ipv4 = imagined_reaches_ipv4,
        .prefixes = imagined_prefixes,
        .context = &copy,
    };
    return synthesis_getaddrinfo(profile, question, &host, answer, outcome);
}

void synthesis_free(struct addrinfo *answer) { synthesis_freeaddrinfo(answer, freeaddrinfo); }
