// SPDX-License-Identifier: Apache-2.0
// The plan for a question. The steps are those of Apple's getaddrinfo, in its order; the profile decides which of them apply.
//
//      question --> pass ............................... the answer is the real one's
//               \-> make (a literal) --> entries ....... the answer is ours
//                \-> review (a name) --> entries ....... the answer is the real one's, and ours
#define _GNU_SOURCE
#include "include/synthesis.h"
#include "profiles.h"

#include <arpa/inet.h>
#include <string.h>

static const struct addrinfo no_hints = {.ai_flags = AI_V4MAPPED | AI_ADDRCONFIG};

/// Rules 1 and 3: the flags as the profile reads them.
static int effective_flags(const struct profile *rules, const struct addrinfo *hints) {
    int flags = hints->ai_flags;
    if (flags == 0 && rules->zero_flags_mean_default) flags = AI_V4MAPPED | AI_ADDRCONFIG;
    if (hints->ai_family != AF_INET6) flags &= ~(AI_V4MAPPED | AI_ALL);
    if ((flags & AI_V4MAPPED) == 0) flags &= ~AI_ALL;
    return flags;
}

/// Rule 7: the kinds of entry for each address. The protocol decides; if there is only a socket type, it implies the protocol. The type of
/// a raw socket implies none, so it gets the entries of "any", as on Apple's systems. None: there is no IPv6 entry for the hints.
static size_t kinds_for(const struct addrinfo *hints, struct synthesis_kind kinds[2]) {
    static const struct synthesis_kind dgram = {SOCK_DGRAM, IPPROTO_UDP};
    static const struct synthesis_kind stream = {SOCK_STREAM, IPPROTO_TCP};
    static const struct synthesis_kind icmp = {SOCK_RAW, IPPROTO_ICMPV6};

    int implied;
    switch (hints->ai_socktype) {
    case SOCK_DGRAM: implied = IPPROTO_UDP; break;
    case SOCK_STREAM: implied = IPPROTO_TCP; break;
    case SOCK_RAW:
    case 0: implied = 0; break;
    default: return 0;
    }
    if (implied != 0 && hints->ai_protocol != 0 && hints->ai_protocol != implied) return 0;

    switch (hints->ai_protocol != 0 ? hints->ai_protocol : implied) {
    case IPPROTO_UDP: kinds[0] = dgram; return 1;
    case IPPROTO_TCP: kinds[0] = stream; return 1;
    case IPPROTO_ICMPV6: kinds[0] = icmp; return 1;
    case 0:
        kinds[0] = dgram;
        kinds[1] = stream;
        return 2;
    default: return 0;
    }
}

static const char *null_if_empty(const char *text) { return text != NULL && *text == '\0' ? NULL : text; }

/// Rule 5, as far as the question decides it, for literals and names alike.
static enum synthesis_reason refusal(
    const struct synthesis_plan *plan, const struct profile *rules, const struct addrinfo *hints
) {
    if (plan->node == NULL) return SYNTHESIS_NOT_WITHOUT_NODE;
    if ((hints->ai_flags & AI_NUMERICHOST) != 0) return SYNTHESIS_NOT_WHEN_NUMERIC;
    if (hints->ai_family != AF_UNSPEC && hints->ai_family != AF_INET6) return SYNTHESIS_NOT_FOR_FAMILY;
    // Entries that are copies of an answer's need no kinds of their own.
    if (plan->kind_count == 0 && rules->names != SYNTHESIS_NAMES_PREPENDED) return SYNTHESIS_NOT_FOR_PROTOCOL;
    return SYNTHESIS_OF_LITERAL;
}

struct synthesis_plan synthesis_plan(enum synthesis_profile profile, const struct synthesis_question *question) {
    const struct profile *rules = profile_rules(profile);
    const struct addrinfo *hints = question->hints != NULL ? question->hints : &no_hints;
    struct synthesis_plan plan = {
        .profile = profile,
        .step = SYNTHESIS_PASS,
        .node = question->node,
        .service = question->service,
        .needs_ipv6_address = rules->needs_ipv6_address,
        .needs_unreachable_ipv4 = rules->needs_unreachable_ipv4,
    };
    // Rule 2.
    if (rules->empty_is_null) {
        plan.node = null_if_empty(plan.node);
        plan.service = null_if_empty(plan.service);
    }

    plan.kind_count = kinds_for(hints, plan.kinds);
    plan.reason = refusal(&plan, rules, hints);
    if (plan.reason != SYNTHESIS_OF_LITERAL) return plan;

    // inet_pton decides whether the node is a literal (rule 5): it accepts only a strict dotted quad.
    if (inet_pton(AF_INET, plan.node, &plan.literal) == 1) {
        if (!rules->literals) {
            plan.reason = SYNTHESIS_NOT_BY_PROFILE;
        } else if (!synthesis_may_be_synthesised(profile, plan.literal)) {
            plan.reason = SYNTHESIS_NOT_WHEN_EXCLUDED;
        } else {
            int flags = effective_flags(rules, hints);
            plan.step = SYNTHESIS_MAKE;
            plan.append_ipv4 = rules->appends_ipv4 && hints->ai_family == AF_UNSPEC && (flags & AI_ADDRCONFIG) == 0;
            plan.append_mapped = rules->appends_ipv4 && hints->ai_family == AF_INET6 && (flags & AI_ALL) != 0;
        }
    } else if (synthesis_is_numeric_node(plan.node)) {
        plan.reason = SYNTHESIS_NOT_A_DOTTED_QUAD;
    } else if (rules->names == SYNTHESIS_NAMES_UNTOUCHED) {
        plan.reason = SYNTHESIS_NOT_BY_PROFILE;
    } else {
        plan.step = SYNTHESIS_REVIEW;
        plan.reason = SYNTHESIS_OF_NAME;
    }
    return plan;
}

uint16_t synthesis_port(const struct synthesis_plan *plan, uint16_t port) {
    uint16_t ignored;
    if (!profile_rules(plan->profile)->drops_numeric_port) return port;
    return synthesis_numeric_service(plan->service, &ignored) ? 0 : port;
}

size_t synthesis_entries(
    const struct synthesis_plan *plan, const struct pref64_list *prefixes, uint16_t port,
    struct synthesis_entry entries[SYNTHESIS_ENTRIES_MAX]
) {
    struct synthesis_entry entry = {.family = AF_INET6, .port = port};
    size_t count = 0;
    for (size_t i = 0; i < prefixes->count; i++) {
        if (!synthesis_may_embed(plan->profile, &prefixes->items[i], plan->literal)) continue;
        entry.address = pref64_embed(&prefixes->items[i], plan->literal);
        for (size_t k = 0; k < plan->kind_count; k++) {
            entry.kind = plan->kinds[k];
            entries[count++] = entry;
        }
    }
    if (count == 0 || !(plan->append_ipv4 || plan->append_mapped)) return count;

    // Rule 8. An IPv4 address has no ICMPv6 entry.
    entry.address = (struct in6_addr){0};
    uint8_t *place = entry.address.s6_addr;
    if (plan->append_mapped) {
        place[10] = place[11] = 0xff;
        place += 12;
    } else {
        entry.family = AF_INET;
    }
    memcpy(place, &plan->literal, sizeof plan->literal);
    for (size_t k = 0; k < plan->kind_count; k++) {
        if (plan->kinds[k].protocol == IPPROTO_ICMPV6) continue;
        entry.kind = plan->kinds[k];
        entries[count++] = entry;
    }
    return count;
}
