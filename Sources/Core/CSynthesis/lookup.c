// SPDX-License-Identifier: Apache-2.0
// getaddrinfo with synthesis. A question costs only as much as its plan needs: if the plan passes it on, the machine is asked nothing; the
// network's prefixes, which may take a query, come last.
#define _GNU_SOURCE
#include "include/lookup.h"
#include "entries.h"
#include "names.h"

#include <arpa/inet.h>
#include <errno.h>
#include <string.h>

/// Whether a service is a number that is out of range. Libcs accept any digits for a port and cut them to 16 bits. For Apple's getaddrinfo
/// `65536` is the name of an unknown service.
static bool is_out_of_range(const char *service) {
    uint16_t ignored;
    if (service == NULL || *service == '\0' || synthesis_numeric_service(service, &ignored)) return false;
    return service[strspn(service, " \t\n\v\f\r+-0123456789")] == '\0';
}

/// The port of the plan's service, as the real getaddrinfo has it: one lookup for all protocols, since `http` is listed for TCP alone and
/// its port is valid for every entry. The client's flags are passed along, so that a flag which the libc refuses is refused here as well.
static bool find_port(
    const struct synthesis_plan *plan, const struct synthesis_question *question, const struct synthesis_host *host,
    uint16_t *port
) {
    if (is_out_of_range(plan->service)) return false;
    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST, .ai_family = AF_INET6};
    if (question->hints != NULL) hints.ai_flags |= question->hints->ai_flags & ~(AI_ADDRCONFIG | AI_CANONNAME);
    // If there is only one kind, its protocol is that of the service.
    if (plan->kind_count == 1 && plan->kinds[0].protocol != IPPROTO_ICMPV6) {
        hints.ai_socktype = plan->kinds[0].socktype;
        hints.ai_protocol = plan->kinds[0].protocol;
    }
    struct addrinfo *found = NULL;
    if (host->getaddrinfo("::1", plan->service, &hints, &found) != 0 || found == NULL) return false;
    *port = ntohs(((const struct sockaddr_in6 *)found->ai_addr)->sin6_port);
    host->freeaddrinfo(found);
    return true;
}

/// Has the entries made. A separate function that is not inlined, so that the entries are not on the stack while the network is asked for
/// its prefixes.
__attribute__((noinline)) static enum synthesis_reason make_entries(
    const struct synthesis_plan *plan, const struct synthesis_host *host, const struct pref64_list *prefixes,
    uint16_t port, struct addrinfo **answer, unsigned *synthesised
) {
    struct synthesis_entry entries[SYNTHESIS_ENTRIES_MAX];
    struct entry_list made;
    size_t count = synthesis_entries(plan, prefixes, synthesis_port(plan, port), entries);
    if (count == 0) return SYNTHESIS_NOT_WHEN_EXCLUDED;
    entry_list_init(&made);
    for (size_t i = 0; i < count; i++) {
        if (!entry_list_append(&made, host, &entries[i])) return SYNTHESIS_NOT_POSSIBLE;
        *synthesised += entries[i].family == AF_INET6 && !IN6_IS_ADDR_V4MAPPED(&entries[i].address);
    }
    *answer = made.head;
    return SYNTHESIS_OF_LITERAL;
}

/// Makes the answer for a literal, or returns the reason for not doing so.
static enum synthesis_reason make_answer(
    const struct synthesis_plan *plan, const struct synthesis_question *question, const struct synthesis_host *host,
    struct addrinfo **answer, unsigned *synthesised
) {
    struct pref64_list prefixes = {0};
    uint16_t port;
    if (plan->needs_ipv6_address && !host->has_ipv6(host->context)) return SYNTHESIS_NOT_WITHOUT_IPV6;
    if (plan->needs_unreachable_ipv4 && host->reaches_ipv4(host->context, plan->literal)) {
        return SYNTHESIS_NOT_WHEN_REACHABLE;
    }
    if (!find_port(plan, question, host, &port)) return SYNTHESIS_NOT_FOR_UNKNOWN_SERVICE;
    host->prefixes(host->context, &prefixes);
    if (prefixes.count == 0) return SYNTHESIS_NOT_WITHOUT_PREF64;
    return make_entries(plan, host, &prefixes, port, answer, synthesised);
}

/// Adds addresses to the answer for a name, or returns the reason for not doing so.
static enum synthesis_reason review_answer(
    const struct synthesis_plan *plan, const struct synthesis_host *host, struct addrinfo **answer,
    unsigned *synthesised
) {
    struct pref64_list prefixes = {0};
    if (!names_is_ipv4_only(plan, *answer)) return SYNTHESIS_NOT_NEEDED;
    if (plan->needs_ipv6_address && !host->has_ipv6(host->context)) return SYNTHESIS_NOT_WITHOUT_IPV6;
    host->prefixes(host->context, &prefixes);
    if (prefixes.count == 0) return SYNTHESIS_NOT_WITHOUT_PREF64;
    return names_synthesise(plan, host, &prefixes, answer, synthesised);
}

/// Whether a name may have an IPv4 address, though it has no IPv6 address.
static bool lacks_ipv6(const struct synthesis_question *question, int result) {
    return (result == EAI_NODATA || result == EAI_ADDRFAMILY) && question->hints != NULL
        && question->hints->ai_family == AF_INET6;
}

/// Rule 10: on a network without DNS64 whose prefix is known, the resolvers of Apple's systems (mDNSResponder) and of Android (netd) ask
/// for A in place of AAAA, and synthesise. An answer is made only if the outcome is SYNTHESIS_OF_NAME.
static enum synthesis_reason synthesise_for_ipv6(
    const struct synthesis_plan *plan, const struct synthesis_question *question, const struct synthesis_host *host,
    struct addrinfo **answer, unsigned *synthesised
) {
    struct pref64_list prefixes = {0};
    if (plan->needs_ipv6_address && !host->has_ipv6(host->context)) return SYNTHESIS_NOT_WITHOUT_IPV6;
    host->prefixes(host->context, &prefixes);
    if (prefixes.count == 0) return SYNTHESIS_NOT_WITHOUT_PREF64;
    struct addrinfo hints = *question->hints, *found = NULL;
    hints.ai_family = AF_INET;
    // The addresses are for IPv6: whether this machine has an IPv4 address does not matter.
    hints.ai_flags &= ~(AI_V4MAPPED | AI_ALL | AI_ADDRCONFIG);
    if (host->getaddrinfo(plan->node, plan->service, &hints, &found) != 0 || found == NULL) return SYNTHESIS_NOT_NEEDED;
    const enum synthesis_reason reason = names_synthesise(plan, host, &prefixes, &found, synthesised);
    if (reason == SYNTHESIS_OF_NAME) {
        names_drop_ipv4(&found, host->freeaddrinfo);
        *answer = found;
    } else {
        host->freeaddrinfo(found);
    }
    return reason;
}

/// Whether empty strings are to be passed on as NULL (rule 2). On a network without a Pref64 nothing may change.
static bool reads_empty_as_null(
    const struct synthesis_plan *plan, const struct synthesis_question *question, const struct synthesis_host *host
) {
    if (plan->node == question->node && plan->service == question->service) return false;
    struct pref64_list prefixes = {0};
    if (plan->needs_ipv6_address && !host->has_ipv6(host->context)) return false;
    host->prefixes(host->context, &prefixes);
    return prefixes.count != 0;
}

int synthesis_getaddrinfo(
    enum synthesis_profile profile, const struct synthesis_question *question, const struct synthesis_host *host,
    struct addrinfo **answer, struct synthesis_outcome *outcome
) {
    struct synthesis_plan plan = synthesis_plan(profile, question);
    *outcome = (struct synthesis_outcome){.reason = plan.reason};

    int entry_errno = errno;
    if (plan.step == SYNTHESIS_MAKE) {
        outcome->reason = make_answer(&plan, question, host, answer, &outcome->synthesised);
        if (outcome->reason == SYNTHESIS_OF_LITERAL) {
            errno = entry_errno;
            return 0;
        }
        outcome->synthesised = 0;
    }
    bool normalised = reads_empty_as_null(&plan, question, host);
    errno = entry_errno;
    int result = host->getaddrinfo(
        normalised ? plan.node : question->node, normalised ? plan.service : question->service, question->hints, answer
    );
    if (plan.step == SYNTHESIS_REVIEW) {
        int real_errno = errno;
        if (result == 0) {
            outcome->reason = review_answer(&plan, host, answer, &outcome->synthesised);
        } else if (lacks_ipv6(question, result)) {
            outcome->reason = synthesise_for_ipv6(&plan, question, host, answer, &outcome->synthesised);
            if (outcome->reason == SYNTHESIS_OF_NAME) {
                result = 0;
                real_errno = entry_errno;
            }
        } else {
            outcome->reason = SYNTHESIS_NOT_NEEDED;
        }
        errno = real_errno;
    }
    return result;
}
