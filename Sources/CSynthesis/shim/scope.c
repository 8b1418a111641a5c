// See scope.h. The variables are in the initial-exec model (by the build's -ftls-model), so reaching them never allocates.
#define _GNU_SOURCE
#include "scope.h"

#include <pthread.h>

static _Thread_local uintptr_t outermost;
static _Thread_local int client_cancel_state;

bool scope_enter(struct scope *scope, const void *frame) {
    // Stacks grow downwards.
    if (outermost != 0 && (uintptr_t)frame < outermost) return false;
    outermost = (uintptr_t)frame;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &scope->cancel_state);
    client_cancel_state = scope->cancel_state;
    return true;
}

void scope_leave(const struct scope *scope) {
    outermost = 0;
    pthread_setcancelstate(scope->cancel_state, NULL);
}

void scope_allow_cancellation(void) { pthread_setcancelstate(client_cancel_state, NULL); }
void scope_forbid_cancellation(void) { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL); }
