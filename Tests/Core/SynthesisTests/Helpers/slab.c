// A getaddrinfo whose answers are one allocation with a reference count, as musl's are: a library to preload behind the
// shim. Its freeaddrinfo counts the entries up to the end of the list and takes that number off the count of the last
// one's allocation, so a list joined from several answers must not reach it whole. It complains about what was never
// freed, or freed twice. Numeric nodes only.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netdb.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct slot {
    struct addrinfo info;
    struct sockaddr_in6 address;
    short number, references;
};

static int allocations;

int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **answer) {
    const int kinds[2][2] = {{SOCK_STREAM, IPPROTO_TCP}, {SOCK_DGRAM, IPPROTO_UDP}};
    int family = hints != NULL ? hints->ai_family : AF_UNSPEC;
    int socktype = hints != NULL ? hints->ai_socktype : 0;
    struct sockaddr_in6 address = {.sin6_port = htons(service != NULL ? (unsigned short)atoi(service) : 0)};
    struct in_addr in;
    if (node == NULL) return EAI_NONAME;
    if (inet_pton(AF_INET6, node, &address.sin6_addr) == 1 && family != AF_INET) {
        address.sin6_family = AF_INET6;
    } else if (inet_pton(AF_INET, node, &in) == 1 && family != AF_INET6) {
        address.sin6_family = AF_INET;
        ((struct sockaddr_in *)&address)->sin_addr = in;
    } else {
        return EAI_NONAME;
    }

    struct slot *slots = calloc(2, sizeof *slots);
    int count = 0;
    for (int i = 0; i < 2; i++) {
        if (socktype != 0 && socktype != kinds[i][0]) continue;
        struct slot *slot = &slots[count];
        slot->number = (short)count++;
        slot->address = address;
        slot->info = (struct addrinfo){
            .ai_family = address.sin6_family,
            .ai_socktype = kinds[i][0],
            .ai_protocol = kinds[i][1],
            .ai_addrlen = address.sin6_family == AF_INET ? sizeof(struct sockaddr_in) : sizeof address,
            .ai_addr = (struct sockaddr *)&slot->address,
        };
        if (count > 1) slots[count - 2].info.ai_next = &slot->info;
    }
    slots[0].references = (short)count;
    allocations++;
    *answer = &slots[0].info;
    return 0;
}

void freeaddrinfo(struct addrinfo *answer) {
    int count = 1;
    for (; answer->ai_next != NULL; answer = answer->ai_next) count++;
    struct slot *slot = (struct slot *)((char *)answer - offsetof(struct slot, info));
    slot -= slot->number;
    slot->references -= (short)count;
    if (slot->references < 0) {
        fprintf(stderr, "freed %d entries too many\n", -slot->references);
        abort();
    }
    if (slot->references == 0) {
        free(slot);
        allocations--;
    }
}

__attribute__((destructor)) static void complain(void) {
    if (allocations != 0) fprintf(stderr, "%d answers never freed\n", allocations);
}
// SPDX-License-Identifier: Apache-2.0
