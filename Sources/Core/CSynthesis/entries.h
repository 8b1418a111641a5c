// SPDX-License-Identifier: Apache-2.0
/// Lists of addrinfo entries, each entry made by a real getaddrinfo.
#ifndef CSYNTHESIS_ENTRIES_H
#define CSYNTHESIS_ENTRIES_H

#include "include/lookup.h"

/// A list under construction.
struct entry_list {
    struct addrinfo *head;
    struct addrinfo **tail;
    unsigned count;
};

void entry_list_init(struct entry_list *list);

/// Appends an entry. On failure, frees everything in the list and returns false.
bool entry_list_append(struct entry_list *list, const struct synthesis_host *host, const struct synthesis_entry *entry);

#endif
