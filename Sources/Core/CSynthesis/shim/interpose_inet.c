// SPDX-License-Identifier: Apache-2.0
// inet_addr, inet_aton and inet_ntoa: passed on unchanged, and reported, as their use marks code that knows only IPv4. Programs call them
// in loops, so only the first call with each address text from each call site is reported.
#define _GNU_SOURCE
#include "evidence.h"
#include "interpose.h"
#include "real.h"
#include "refused_texts.h"
#include "scope.h"

/// `node` is the text of the address; in a call of inet_ntoa it is the result.
static void report(const char *call, const char *node, int result, const void *return_address) {
    struct scope scope;
    if (!evidence_wanted() || node == NULL || !scope_enter(&scope)) return;
    if (result == 0) refused_texts_add(node);
    if (evidence_is_new(call, node, return_address)) {
        struct synthesis_record record = {.call = call, .node = node, .result = result};
        evidence_send(&record, return_address);
    }
    scope_leave(&scope);
}

INTERPOSED in_addr_t inet_addr(const char *text) {
    in_addr_t address = real_functions()->inet_addr(text);
    report("inet_addr", text, address != INADDR_NONE, __builtin_return_address(0));
    return address;
}

INTERPOSED int inet_aton(const char *text, struct in_addr *address) {
    int valid = real_functions()->inet_aton(text, address);
    report("inet_aton", text, valid, __builtin_return_address(0));
    return valid;
}

INTERPOSED char *inet_ntoa(struct in_addr address) {
    char *text = real_functions()->inet_ntoa(address);
    report("inet_ntoa", text, 1, __builtin_return_address(0));
    return text;
}
