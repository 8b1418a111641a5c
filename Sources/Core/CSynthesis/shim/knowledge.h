// SPDX-License-Identifier: Apache-2.0
/// The process's knowledge about its network's prefixes.
///
/// Readers and writers never wait for one another, so a thread that dies, a fork in the middle of a write and a child that shares its
/// parent's memory (vfork) leave nothing locked. Each write goes to a slot of its own; the number of the newest slot is the only thing that
/// changes during a read, and the reader checks it again after copying.
#ifndef CSYNTHESIS_KNOWLEDGE_H
#define CSYNTHESIS_KNOWLEDGE_H

#include "../include/pref64.h"

struct knowledge {
    /// The fingerprint of the network to which it applies.
    uint64_t fingerprint;
    /// In milliseconds of the monotonic clock.
    int64_t expires;
    /// The number of consecutive exchanges without an answer.
    uint32_t failures;
    struct pref64_list prefixes;
};

/// Copies the newest knowledge; false if there is none.
bool knowledge_read(struct knowledge *knowledge);
void knowledge_write(const struct knowledge *knowledge);

#endif
