/// The extent of one call into the shim.
///
/// Real functions call others: a name service module may call inet_aton, and an old one getaddrinfo. Those are not the
/// client's calls, so within a scope they go straight to the real function. The mark is the stack address of the
/// outermost call rather than a counter: a client that leaves a lookup by siglongjmp (curl without a threaded resolver
/// does, on its time-out) leaves a mark behind, but its next call comes from higher up the stack and is an outermost
/// one again.
///
/// While the shim works on its own account the thread cannot be cancelled, for a cancelled thread would leave a
/// descriptor open or a list half made. The client's own lookup can be, as without the shim.
#ifndef CSYNTHESIS_SCOPE_H
#define CSYNTHESIS_SCOPE_H

#include <stdbool.h>
#include <stdint.h>

struct scope {
    int cancel_state;
};

/// Enters a scope; false where this call comes from within one.
bool scope_enter(struct scope *scope, const void *frame);
void scope_leave(const struct scope *scope);

/// Around the client's own lookup: lets the thread be cancelled if it could be before.
void scope_allow_cancellation(void);
void scope_forbid_cancellation(void);

#endif
