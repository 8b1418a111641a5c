// SPDX-License-Identifier: Apache-2.0
// inet_ntop: passed on unchanged, and reported where the text of an IPv6 address finds no room: the program then has no text.
#define _GNU_SOURCE
#include "configuration.h"
#include "evidence.h"
#include "interpose.h"
#include "real.h"
#include "scope.h"

#include <errno.h>
#include <sys/socket.h>

static void report(const void *address, const void *return_address) {
    struct scope scope;
    char whole[INET6_ADDRSTRLEN];
    if (!scope_enter(&scope)) return;
    if (real_functions()->inet_ntop(AF_INET6, address, whole, sizeof whole) != NULL
        && evidence_is_new("inet_ntop", whole, return_address))
        evidence_send(&(struct synthesis_record){.call = "inet_ntop", .node = whole}, return_address);
    scope_leave(&scope);
}

INTERPOSED const char *inet_ntop(int family, const void *restrict address, char *restrict text, socklen_t size) {
    const char *written = real_functions()->inet_ntop(family, address, text, size);
    if (written == NULL && family == AF_INET6 && errno == ENOSPC && evidence_is_configured())
        report(address, __builtin_return_address(0));
    return written;
}
