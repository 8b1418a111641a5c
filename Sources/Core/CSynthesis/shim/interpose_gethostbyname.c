// SPDX-License-Identifier: Apache-2.0
// gethostbyname and its variants: passed on unchanged, and reported. Apple's do not synthesise either; a program that calls them gets only
// IPv4 addresses (or IPv6 on demand), and the report shows that.
#define _GNU_SOURCE
#include "evidence.h"
#include "interpose.h"
#include "real.h"
#include "scope.h"

static void report(
    struct synthesis_record *record, const struct hostent *host, int error, const void *return_address
) {
    record->result = host != NULL ? 0 : error;
    for (char **address = host != NULL ? host->h_addr_list : NULL; address != NULL && *address != NULL; address++) {
        synthesis_record_add_answer(record, host->h_addrtype, *address);
    }
    evidence_send(record, return_address);
}

/// The body of a function: the real call, which can be cancelled as without the shim, and the report.
#define PASS_ON(result_type, real_call, host, error, ...)                                  \
    struct scope scope;                                                                    \
    if (!evidence_wanted() || !scope_enter(&scope)) {                                      \
        return real_functions()->real_call;                                                \
    }                                                                                      \
    scope_allow_cancellation();                                                            \
    result_type result = real_functions()->real_call;                                      \
    scope_forbid_cancellation();                                                           \
    struct synthesis_record record = {__VA_ARGS__};                                        \
    report(&record, host, error, __builtin_return_address(0));                             \
    scope_leave(&scope);                                                                   \
    return result

INTERPOSED struct hostent *gethostbyname(const char *name) {
    PASS_ON(struct hostent *, gethostbyname(name), result, h_errno, .call = "gethostbyname", .node = name);
}

INTERPOSED struct hostent *gethostbyname2(const char *name, int family) {
    PASS_ON(
        struct hostent *, gethostbyname2(name, family), result, h_errno, .call = "gethostbyname2", .node = name,
        .has_family = true, .family = family
    );
}

INTERPOSED int gethostbyname_r(
    const char *restrict name, struct hostent *restrict host, char *restrict buffer, size_t size,
    struct hostent **restrict found, int *restrict error
) {
    PASS_ON(
        int, gethostbyname_r(name, host, buffer, size, found, error), *found, *error, .call = "gethostbyname_r",
        .node = name
    );
}

INTERPOSED int gethostbyname2_r(
    const char *restrict name, int family, struct hostent *restrict host, char *restrict buffer, size_t size,
    struct hostent **restrict found, int *restrict error
) {
    PASS_ON(
        int, gethostbyname2_r(name, family, host, buffer, size, found, error), *found, *error,
        .call = "gethostbyname2_r", .node = name, .has_family = true, .family = family
    );
}
