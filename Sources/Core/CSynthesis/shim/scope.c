// SPDX-License-Identifier: Apache-2.0
// See scope.h. The variables use the initial-exec model (by the build's -ftls-model), so accessing them never allocates.
#define _GNU_SOURCE
#include "scope.h"

#include <pthread.h>
#include <stddef.h>

/// A value that is not on a stack by chance; the count distinguishes scopes.
#define MARK UINT64_C(0x6970763673796e74)

static _Thread_local const volatile struct scope *outermost;
static _Thread_local uint64_t entered;
static _Thread_local int client_cancel_state;

bool scope_enter(struct scope *scope) {
    // Stacks grow downwards.
    bool is_further_down = outermost != NULL && (uintptr_t)scope < (uintptr_t)outermost;
    if (is_further_down && outermost->mark == (MARK ^ entered)) return false;
    scope->mark = MARK ^ ++entered;
    outermost = scope;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &scope->cancel_state);
    client_cancel_state = scope->cancel_state;
    return true;
}

void scope_leave(struct scope *scope) {
    outermost = NULL;
    scope->mark = 0;
    pthread_setcancelstate(scope->cancel_state, NULL);
}

void scope_allow_cancellation(void) { pthread_setcancelstate(client_cancel_state, NULL); }
void scope_forbid_cancellation(void) { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL); }
