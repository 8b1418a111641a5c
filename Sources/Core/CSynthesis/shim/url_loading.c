// SPDX-License-Identifier: Apache-2.0
// See url_loading.h. The rules of Apple's getaddrinfo (exclusion.c) decide what is synthesised, whatever the client's profile.
#define _GNU_SOURCE
#include "url_loading.h"
#include "caller.h"
#include "configuration.h"
#include "discovery.h"
#include "evidence.h"
#include "replacement.h"
#include "read_literals.h"
#include "route.h"
#include "scope.h"

#include <arpa/inet.h>
#include <errno.h>
#include <string.h>

/// Tries the prefixes in order; a connection has one address, so the first that the kernel accepts is used.
static enum synthesis_reason connect_to(
    int descriptor, const struct sockaddr_in *literal, struct sockaddr_in6 *used, int *result
) {
    struct pref64_list prefixes = {0};
    discovery_prefixes(&prefixes);
    enum synthesis_reason reason = prefixes.count == 0 ? SYNTHESIS_NOT_WITHOUT_PREF64 : SYNTHESIS_NOT_WHEN_EXCLUDED;
    for (size_t i = 0; i < prefixes.count; i++) {
        if (!synthesis_may_embed(SYNTHESIS_APPLE, &prefixes.items[i], literal->sin_addr)) continue;
        *used = (struct sockaddr_in6){
            .sin6_family = AF_INET6,
            .sin6_port = literal->sin_port,
            .sin6_addr = pref64_embed(&prefixes.items[i], literal->sin_addr),
        };
        *result = replace_and_connect(descriptor, used);
        if (*result == 0 || errno == EINPROGRESS) return SYNTHESIS_OF_LITERAL;
        reason = SYNTHESIS_NOT_POSSIBLE;
    }
    return reason;
}

static void report(
    const struct sockaddr_in *literal, const struct sockaddr_in6 *used, enum synthesis_reason reason, const void *return_address
) {
    char node[INET_ADDRSTRLEN], service[8];
    // 65535 has five digits.
    unsigned port = ntohs(literal->sin_port), divisor = 10000;
    size_t size = 0;
    while (divisor > 1 && port / divisor == 0) divisor /= 10;
    for (; divisor > 0; divisor /= 10) service[size++] = (char)('0' + port / divisor % 10);
    service[size] = '\0';
    struct synthesis_record record = {
        .call = "connect",
        .node = inet_ntop(AF_INET, &literal->sin_addr, node, sizeof node),
        .service = service,
        .has_outcome = true,
        .profile = SYNTHESIS_APPLE,
        .why = reason,
        .synthesised = reason == SYNTHESIS_OF_LITERAL,
    };
    if (reason == SYNTHESIS_OF_LITERAL) synthesis_record_add_answer(&record, AF_INET6, &used->sin6_addr);
    evidence_send(&record, return_address);
}

/// The cheap checks, of the arguments and of memory; false if the connection is not to a literal.
static bool may_be_literal(const struct sockaddr *address, socklen_t size, struct sockaddr_in *literal) {
    if (address == NULL || size < sizeof *literal || address->sa_family != AF_INET) return false;
    memcpy(literal, address, sizeof *literal);
    return read_literals_contain(literal->sin_addr);
}

bool url_loading_connect(
    int descriptor, const struct sockaddr *address, socklen_t size, const void *return_address, int *result
) {
    struct sockaddr_in literal;
    struct scope scope;
    if (!may_be_literal(address, size, &literal)) return false;
    int saved = errno;
    bool is_made = false;
    if (caller_is_url_loading(return_address) && scope_enter(&scope)) {
        if (socket_is_replaceable(descriptor) && route_is_missing(literal.sin_addr)) {
            struct sockaddr_in6 used;
            enum synthesis_reason reason = connect_to(descriptor, &literal, &used, result);
            is_made = reason == SYNTHESIS_OF_LITERAL;
            // The caller of connect needs errno: EINPROGRESS.
            if (evidence_wanted()) report(&literal, &used, reason, return_address);
        }
        scope_leave(&scope);
    }
    if (!is_made) errno = saved;
    return is_made;
}
