// SPDX-License-Identifier: Apache-2.0
/// The extent of one call into the shim.
///
/// Real functions call others: a name service module may call inet_aton, and an old one getaddrinfo. Those are not the client's calls, so
/// within a scope they go straight to the real function. A counter would do, except for clients that leave a lookup by siglongjmp (curl
/// without a threaded resolver does, on its time-out) and would never decrement it. So the scope is a mark on the stack: a call is within
/// it if the call comes from further down and the mark is intact. When the client has jumped out, later calls overwrite it.
///
/// While the shim works on its own account the thread cannot be cancelled, as a cancelled thread would leave a descriptor open or a list
/// unfinished. The client's own lookup can be cancelled, as without the shim.
#ifndef CSYNTHESIS_SCOPE_H
#define CSYNTHESIS_SCOPE_H

#include <stdbool.h>
#include <stdint.h>

/// A variable of the function that the client called.
struct scope {
    uint64_t mark;
    int cancel_state;
};

/// Enters a scope; false if this call comes from within one.
bool scope_enter(struct scope *scope);
void scope_leave(struct scope *scope);

/// Around the client's own lookup: allows the thread to be cancelled if that was allowed before.
void scope_allow_cancellation(void);
void scope_forbid_cancellation(void);

#endif
