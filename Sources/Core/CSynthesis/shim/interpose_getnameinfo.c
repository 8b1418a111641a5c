// SPDX-License-Identifier: Apache-2.0
// getnameinfo, as the client calls it. On Apple's systems a synthesised address has the name of its embedded IPv4 address, whether or not
// the network's DNS has its name in ip6.arpa.
#define _GNU_SOURCE
#include "../profiles.h"
#include "configuration.h"
#include "discovery.h"
#include "interpose.h"
#include "real.h"
#include "scope.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

/// The IPv4 address embedded under one of the network's prefixes; false if there is none.
static bool find_ipv4(const struct in6_addr *address, struct in_addr *ipv4) {
    struct scope scope;
    struct pref64_list prefixes = {0};
    if (!scope_enter(&scope)) return false;
    discovery_prefixes(&prefixes);
    scope_leave(&scope);
    for (size_t i = 0; i < prefixes.count; i++) {
        *ipv4 = pref64_extract(address, prefixes.items[i].length);
        const struct in6_addr made = pref64_embed(&prefixes.items[i], *ipv4);
        if (memcmp(&made, address, sizeof made) == 0) return true;
    }
    return false;
}

INTERPOSED int getnameinfo(
    const struct sockaddr *restrict address, socklen_t length, char *restrict host, socklen_t host_size,
    char *restrict service, socklen_t service_size, int flags
) {
    struct sockaddr_in ipv4 = {.sin_family = AF_INET};
    if (profile_rules(configuration()->profile)->names_synthesised && address != NULL && length >= sizeof(struct sockaddr_in6)
        && address->sa_family == AF_INET6 && host != NULL && host_size > 0 && (flags & NI_NUMERICHOST) == 0
        && find_ipv4(&((const struct sockaddr_in6 *)address)->sin6_addr, &ipv4.sin_addr)) {
        int saved = errno;
        ipv4.sin_port = ((const struct sockaddr_in6 *)address)->sin6_port;
        // Without a name the client gets the text of its own address, not of the embedded one.
        int result = real_functions()->getnameinfo(
            (const struct sockaddr *)&ipv4, sizeof ipv4, host, host_size, service, service_size, flags | NI_NAMEREQD);
        if (result == 0) return 0;
        errno = saved;
    }
    return real_functions()->getnameinfo(address, length, host, host_size, service, service_size, flags);
}
