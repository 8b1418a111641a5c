// SPDX-License-Identifier: Apache-2.0
// A host's IPv6 addresses, requested from the kernel each time: they may change while a program runs, and the request costs less than the
// system calls of the connection that follows.
#define _GNU_SOURCE
#include "interfaces.h"
#include "fingerprint.h"
#include "real.h"

#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <string.h>

struct interfaces interfaces_now(void) {
    struct interfaces interfaces = {.fingerprint = FINGERPRINT_SEED};
    struct ifaddrs *list;
    if (real_getifaddrs()(&list) != 0) return interfaces;
    for (const struct ifaddrs *entry = list; entry != NULL; entry = entry->ifa_next) {
        if (entry->ifa_addr == NULL || (entry->ifa_flags & IFF_UP) == 0) continue;
        if (entry->ifa_addr->sa_family != AF_INET6) continue;
        const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)entry->ifa_addr;
        interfaces.has_ipv6 = true;
        interfaces.fingerprint = fingerprint_add(interfaces.fingerprint, entry->ifa_name, strlen(entry->ifa_name));
        interfaces.fingerprint = fingerprint_add(interfaces.fingerprint, &in6->sin6_addr, sizeof in6->sin6_addr);
    }
    freeifaddrs(list);
    return interfaces;
}
