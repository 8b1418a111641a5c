// SPDX-License-Identifier: Apache-2.0
// getaddrinfo and freeaddrinfo, as the client calls them.
//
// freeaddrinfo is interposed because an answer may have been joined from several lists, which not every libc can free in one call
// (lookup.h). Until the first such answer is made, lists go to the real freeaddrinfo unchanged.
#define _GNU_SOURCE
#include "../include/lookup.h"
#include "configuration.h"
#include "discovery.h"
#include "evidence.h"
#include "interfaces.h"
#include "interpose.h"
#include "real.h"
#include "scope.h"

#include <stdatomic.h>
#include <sys/socket.h>
#include <unistd.h>

static atomic_bool has_joined;

/// Numeric questions are the shim's own or quick; the client's lookup may take long and can be cancelled.
static int call_real(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **answer) {
    bool numeric = hints != NULL && (hints->ai_flags & AI_NUMERICHOST) != 0;
    if (!numeric) scope_allow_cancellation();
    int result = real_functions()->getaddrinfo(node, service, hints, answer);
    if (!numeric) scope_forbid_cancellation();
    return result;
}

static void free_real(struct addrinfo *answer) { real_functions()->freeaddrinfo(answer); }

static bool host_has_ipv6(void *context) {
    (void)context;
    return interfaces_now().has_ipv6;
}

/// Chromium's probe: connecting a UDP socket sends nothing, but fails if there is no route.
static bool host_reaches_ipv4(void *context, struct in_addr address) {
    (void)context;
    struct sockaddr_in target = {.sin_family = AF_INET, .sin_port = htons(443), .sin_addr = address};
    int descriptor = real_socket()->socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor < 0) return false;
    bool reached = real_socket()->connect(descriptor, (const struct sockaddr *)&target, sizeof target) == 0;
    close(descriptor);
    return reached;
}

static void host_prefixes(void *context, struct pref64_list *list) {
    (void)context;
    discovery_prefixes(list);
}

static const struct synthesis_host this_host = {
    .getaddrinfo = call_real,
    .freeaddrinfo = free_real,
    .has_ipv6 = host_has_ipv6,
    .reaches_ipv4 = host_reaches_ipv4,
    .prefixes = host_prefixes,
};

static void report(
    const struct synthesis_question *question, int result, const struct addrinfo *answer,
    const struct synthesis_outcome *outcome, const void *return_address
) {
    struct synthesis_record record = {
        .call = "getaddrinfo",
        .node = question->node,
        .service = question->service,
        .result = result,
        .has_outcome = true,
        .profile = configuration()->profile,
        .why = outcome->reason,
        .synthesised = outcome->synthesised,
    };
    if (question->hints != NULL) {
        record.has_hints = true;
        record.family = question->hints->ai_family;
        record.socktype = question->hints->ai_socktype;
        record.protocol = question->hints->ai_protocol;
        record.flags = question->hints->ai_flags;
    }
    for (; answer != NULL; answer = answer->ai_next) {
        if (answer->ai_family == AF_INET) {
            const struct sockaddr_in *in = (const struct sockaddr_in *)answer->ai_addr;
            synthesis_record_add_answer(&record, AF_INET, &in->sin_addr);
        } else if (answer->ai_family == AF_INET6) {
            const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)answer->ai_addr;
            synthesis_record_add_answer(&record, AF_INET6, &in6->sin6_addr);
        }
    }
    evidence_send(&record, return_address);
}

INTERPOSED int getaddrinfo(
    const char *restrict node, const char *restrict service, const struct addrinfo *restrict hints,
    struct addrinfo **restrict answer
) {
    struct scope scope;
    if (!scope_enter(&scope)) {
        return real_functions()->getaddrinfo(node, service, hints, answer);
    }
    const struct synthesis_question question = {node, service, hints};
    struct synthesis_outcome outcome;
    int saved_h_errno = h_errno;
    int result = synthesis_getaddrinfo(configuration()->profile, &question, &this_host, answer, &outcome);
    if (outcome.reason == SYNTHESIS_OF_LITERAL) h_errno = saved_h_errno;
    if (outcome.synthesised > 0) atomic_store(&has_joined, true);
    if (evidence_wanted()) {
        report(&question, result, result == 0 ? *answer : NULL, &outcome, __builtin_return_address(0));
    }
    scope_leave(&scope);
    return result;
}

INTERPOSED void freeaddrinfo(struct addrinfo *answer) {
    if (atomic_load(&has_joined)) {
        synthesis_freeaddrinfo(answer, free_real);
    } else {
        free_real(answer);
    }
}
