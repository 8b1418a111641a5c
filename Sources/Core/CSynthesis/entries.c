// SPDX-License-Identifier: Apache-2.0
// Entries are made by the libc, as only the libc may make what it frees. Each entry is the answer to a question of its own: the address as
// text, AI_NUMERICHOST, one socket type and protocol. That gives one entry on every libc, without a query. The port is set afterwards: a
// service would be looked up again for each protocol, and refused for raw sockets.
#define _GNU_SOURCE
#include "entries.h"

#include <arpa/inet.h>

void entry_list_init(struct entry_list *list) { *list = (struct entry_list){.tail = &list->head}; }

static struct addrinfo *make(const struct synthesis_host *host, const struct synthesis_entry *entry) {
    const struct addrinfo hints = {
        .ai_flags = AI_NUMERICHOST,
        .ai_family = entry->family,
        .ai_socktype = entry->kind.socktype,
        .ai_protocol = entry->kind.protocol,
    };
    char text[INET6_ADDRSTRLEN];
    struct addrinfo *made = NULL;
    if (inet_ntop(entry->family, &entry->address, text, sizeof text) == NULL) return NULL;
    if (host->getaddrinfo(text, NULL, &hints, &made) != 0 || made == NULL) return NULL;

    bool fits = made->ai_next == NULL && made->ai_family == entry->family && made->ai_addr != NULL;
    if (fits && made->ai_family == AF_INET6 && made->ai_addrlen == sizeof(struct sockaddr_in6)) {
        ((struct sockaddr_in6 *)made->ai_addr)->sin6_port = htons(entry->port);
    } else if (fits && made->ai_family == AF_INET && made->ai_addrlen == sizeof(struct sockaddr_in)) {
        ((struct sockaddr_in *)made->ai_addr)->sin_port = htons(entry->port);
    } else {
        // Another preloaded library may return something else.
        host->freeaddrinfo(made);
        return NULL;
    }
    // AI_NUMERICHOST was ours, not the client's.
    made->ai_flags = 0;
    // Rule 7. musl names every entry, requested or not, in memory that is freed with the entry; glibc does so only on request.
    made->ai_canonname = NULL;
    return made;
}

bool entry_list_append(
    struct entry_list *list, const struct synthesis_host *host, const struct synthesis_entry *entry
) {
    struct addrinfo *made = make(host, entry);
    if (made == NULL) {
        synthesis_freeaddrinfo(list->head, host->freeaddrinfo);
        entry_list_init(list);
        return false;
    }
    *list->tail = made;
    list->tail = &made->ai_next;
    list->count++;
    return true;
}

void synthesis_freeaddrinfo(struct addrinfo *answer, void (*freeaddrinfo)(struct addrinfo *)) {
    while (answer != NULL) {
        struct addrinfo *next = answer->ai_next;
        answer->ai_next = NULL;
        freeaddrinfo(answer);
        answer = next;
    }
}
