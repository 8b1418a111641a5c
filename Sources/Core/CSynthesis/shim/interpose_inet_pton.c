// SPDX-License-Identifier: Apache-2.0
// inet_pton, which reads literals for URL loading (read_literals.h): passed on unchanged. Reported is only an IPv6 address that a program reads
// as an IPv4 one, and whether it then reads it as what it is.
#define _GNU_SOURCE
#include "configuration.h"
#include "evidence.h"
#include "interpose.h"
#include "read_literals.h"
#include "real.h"
#include "refused_texts.h"
#include "scope.h"

#include <string.h>
#include <sys/socket.h>

static void report(int family, const char *text, int valid, const void *return_address) {
    struct scope scope;
    if (!scope_enter(&scope)) return;
    if (family == AF_INET ? refused_texts_add(text) : refused_texts_take(text))
        evidence_send(&(struct synthesis_record){.call = "inet_pton", .node = text, .result = valid}, return_address);
    scope_leave(&scope);
}

INTERPOSED int inet_pton(int family, const char *restrict text, void *restrict address) {
    int valid = real_inet_pton()(family, text, address);
    if (valid == 1 && family == AF_INET && url_loading_is_wanted()) {
        struct in_addr literal;
        memcpy(&literal, address, sizeof literal);
        read_literals_add(literal);
    }
    if (valid == (family == AF_INET6) && (family == AF_INET || family == AF_INET6) && evidence_is_configured())
        report(family, text, valid, __builtin_return_address(0));
    return valid;
}
