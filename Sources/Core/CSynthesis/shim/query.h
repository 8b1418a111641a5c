// SPDX-License-Identifier: Apache-2.0
/// One question to one server, over UDP and where the answer says so over TCP.
#ifndef CSYNTHESIS_QUERY_H
#define CSYNTHESIS_QUERY_H

#include "../include/ipv4only.h"
#include "resolv_conf.h"

enum {
    /// Larger answers are none of an honest server's: sixty-four AAAA records fit in half of this.
    MESSAGE_MAX = 4096,
};

/// What an exchange works with; too large for a stack that is not ours.
struct query_workspace {
    uint8_t message[MESSAGE_MAX];
    struct ipv4only_answer answer;
};

/// Milliseconds of the monotonic clock.
int64_t query_now(void);

/// Asks for `ipv4only.arpa` until `deadline`; the answer is left in the workspace. IPV4ONLY_FAILED stands for no answer, too. With `exact` the answer has to
/// repeat the letters of a name in random case, which a few servers do not do.
enum ipv4only_reply query_ask(
    const union server_address *server, int64_t deadline, bool exact, struct query_workspace *workspace);

#endif
