// SPDX-License-Identifier: Apache-2.0
// Apple's second pass (rule 9) and Android's DNS64 step: both start from an answer that has no IPv6 address.
#define _GNU_SOURCE
#include "names.h"
#include "entries.h"
#include "profiles.h"

#include <arpa/inet.h>
#include <string.h>

/// The IPv4 address and the port of an entry; false for anything else.
static bool ipv4_of(const struct addrinfo *entry, bool mapped_counts, struct in_addr *address, uint16_t *port) {
    if (entry->ai_family == AF_INET) {
        const struct sockaddr_in *in = (const struct sockaddr_in *)entry->ai_addr;
        *address = in->sin_addr;
        *port = ntohs(in->sin_port);
        return true;
    }
    if (entry->ai_family != AF_INET6 || !mapped_counts) return false;
    const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)entry->ai_addr;
    if (!IN6_IS_ADDR_V4MAPPED(&in6->sin6_addr)) return false;
    memcpy(address, &in6->sin6_addr.s6_addr[12], sizeof *address);
    *port = ntohs(in6->sin6_port);
    return true;
}

static bool counts_mapped(const struct synthesis_plan *plan) {
    return synthesis_of_names(plan->profile) == SYNTHESIS_NAMES_APPENDED;
}

bool names_is_ipv4_only(const struct synthesis_plan *plan, const struct addrinfo *answer) {
    struct in_addr address;
    uint16_t port;
    if (answer == NULL) return false;
    for (const struct addrinfo *entry = answer; entry != NULL; entry = entry->ai_next) {
        if (!ipv4_of(entry, counts_mapped(plan), &address, &port)) return false;
    }
    return true;
}

/// Whether an entry before this one has the same address: an answer has it once per socket type.
static bool is_repeated(const struct addrinfo *answer, const struct addrinfo *entry, struct in_addr address) {
    struct in_addr other;
    uint16_t port;
    for (; answer != entry; answer = answer->ai_next) {
        if (ipv4_of(answer, true, &other, &port) && other.s_addr == address.s_addr) return true;
    }
    return false;
}

/// Each address once, with the entries that a literal would get.
static enum synthesis_reason collect_by_address(
    const struct synthesis_plan *plan, const struct synthesis_host *host, const struct pref64_list *prefixes,
    const struct addrinfo *answer, struct entry_list *added
) {
    for (const struct addrinfo *entry = answer; entry != NULL; entry = entry->ai_next) {
        struct synthesis_plan literal = *plan;
        struct synthesis_entry entries[SYNTHESIS_ENTRIES_MAX];
        uint16_t port;
        if (!ipv4_of(entry, true, &literal.literal, &port) || is_repeated(answer, entry, literal.literal)) continue;
        size_t count = synthesis_entries(&literal, prefixes, synthesis_port(plan, port), entries);
        for (size_t i = 0; i < count; i++) {
            if (!entry_list_append(added, host, &entries[i])) return SYNTHESIS_NOT_POSSIBLE;
        }
    }
    return added->count == 0 ? SYNTHESIS_NOT_WHEN_EXCLUDED : SYNTHESIS_OF_NAME;
}

/// Makes an address for each entry; none at all if one of the addresses is excluded.
static enum synthesis_reason collect_by_entry(
    const struct synthesis_plan *plan, const struct synthesis_host *host, const struct pref64 *prefix,
    const struct addrinfo *answer, struct entry_list *added
) {
    struct in_addr address;
    struct synthesis_entry made = {.family = AF_INET6};
    for (const struct addrinfo *entry = answer; entry != NULL; entry = entry->ai_next) {
        if (!ipv4_of(entry, false, &address, &made.port)) return SYNTHESIS_NOT_NEEDED;
        if (!synthesis_may_embed(plan->profile, prefix, address)) return SYNTHESIS_NOT_WHEN_EXCLUDED;
    }
    for (const struct addrinfo *entry = answer; entry != NULL; entry = entry->ai_next) {
        ipv4_of(entry, false, &address, &made.port);
        made.kind = (struct synthesis_kind){entry->ai_socktype, entry->ai_protocol};
        made.address = pref64_embed(prefix, address);
        if (!entry_list_append(added, host, &made)) return SYNTHESIS_NOT_POSSIBLE;
    }
    return SYNTHESIS_OF_NAME;
}

static void append(struct addrinfo *answer, const struct entry_list *added) {
    while (answer->ai_next != NULL) answer = answer->ai_next;
    answer->ai_next = added->head;
}

/// The canonical name belongs to the first entry, so it moves.
static void prepend(struct addrinfo **answer, const struct entry_list *added) {
    added->head->ai_canonname = (*answer)->ai_canonname;
    (*answer)->ai_canonname = NULL;
    *added->tail = *answer;
    *answer = added->head;
}

enum synthesis_reason names_synthesise(
    const struct synthesis_plan *plan, const struct synthesis_host *host, const struct pref64_list *prefixes,
    struct addrinfo **answer, unsigned *synthesised
) {
    struct entry_list added;
    entry_list_init(&added);
    enum synthesis_reason reason;
    if (synthesis_of_names(plan->profile) == SYNTHESIS_NAMES_APPENDED) {
        reason = collect_by_address(plan, host, prefixes, *answer, &added);
        if (reason == SYNTHESIS_OF_NAME) append(*answer, &added);
    } else {
        const struct pref64 *prefix = &prefixes->items[0];
        if (profile_rules(plan->profile)->only_first_96 && prefix->length != 96) return SYNTHESIS_NOT_WITHOUT_PREF64;
        reason = collect_by_entry(plan, host, prefix, *answer, &added);
        if (reason == SYNTHESIS_OF_NAME) prepend(answer, &added);
    }
    *synthesised = added.count;
    return reason;
}

void names_drop_ipv4(struct addrinfo **answer, void (*freeaddrinfo)(struct addrinfo *)) {
#ifndef __GLIBC__
    // On musl the canonical name is in the memory of the entries that are freed here.
    if (*answer != NULL) (*answer)->ai_canonname = NULL;
#endif
    for (struct addrinfo **place = answer; *place != NULL;) {
        struct addrinfo *entry = *place;
        if (entry->ai_family == AF_INET6) {
            place = &entry->ai_next;
            continue;
        }
        *place = entry->ai_next;
        entry->ai_next = NULL;
        freeaddrinfo(entry);
    }
}
