// SPDX-License-Identifier: Apache-2.0
/// Sends one question to one server, over UDP, then over TCP if the answer requests that.
#ifndef CSYNTHESIS_QUERY_H
#define CSYNTHESIS_QUERY_H

#include "../include/ipv4only.h"
#include "resolv_conf.h"

enum {
    /// No honest server sends a larger answer: sixty-four AAAA records fit in half of this.
    MESSAGE_MAX = 4096,
};

/// The buffers of an exchange; too large for the stack of a foreign thread.
struct query_workspace {
    uint8_t message[MESSAGE_MAX];
    struct ipv4only_answer answer;
};

/// Milliseconds of the monotonic clock.
int64_t query_now(void);

/// Asks for `ipv4only.arpa` until `deadline`; the answer is in the workspace. IPV4ONLY_FAILED also means no answer. With `exact` the answer
/// has to repeat the letters of a name in random case, which a few servers do not do.
enum ipv4only_reply query_ask(
    const union server_address *server, int64_t deadline, bool exact, struct query_workspace *workspace);

#endif
