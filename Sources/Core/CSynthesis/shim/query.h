// SPDX-License-Identifier: Apache-2.0
/// Sends one question to one server, over UDP, then over TCP if the answer is truncated (TC).
#ifndef CSYNTHESIS_QUERY_H
#define CSYNTHESIS_QUERY_H

#include "../include/ipv4only.h"
#include "resolv_conf.h"

enum {
    /// Octets of a message. No honest DNS64 sends a larger answer: 64 AAAA records fit in half of this.
    MESSAGE_MAX = 4096,
};

/// The buffers of an exchange; too large for the stack of one of the program's threads (scratch.h).
struct query_workspace {
    uint8_t message[MESSAGE_MAX];
    struct ipv4only_answer answer;
};

/// Milliseconds of the monotonic clock.
int64_t query_now(void);

/// Asks for the AAAA records of `ipv4only.arpa`, and waits for the answer until `deadline` (`query_now`). With IPV4ONLY_ADDRESSES and
/// IPV4ONLY_NO_ADDRESS, the answer is in the workspace; anything else, no answer included, is IPV4ONLY_FAILED. With `exact` the name has
/// letters of random case, which the answer must repeat; a few servers do not do that.
enum ipv4only_reply query_ask(
    const union server_address *server, int64_t deadline, bool exact, struct query_workspace *workspace);

#endif
