// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "refused_texts.h"
#include "fingerprint.h"
#include "real.h"

#include <stdatomic.h>
#include <string.h>
#include <sys/socket.h>

enum { REFUSED_MAX = 16 };

/// Hashes, whose lowest bit tells that the text was read as what it is. 0 is a free place.
static _Atomic uint64_t refused[REFUSED_MAX];

static uint64_t hash_of(const char *text) {
    return (fingerprint_add(FINGERPRINT_SEED, text, strlen(text)) | 2) & ~UINT64_C(1);
}

bool refused_texts_add(const char *text) {
    struct in6_addr address;
    if (strchr(text, ':') == NULL || real_inet_pton()(AF_INET6, text, &address) != 1) return false;
    uint64_t hash = hash_of(text);
    for (size_t i = 0; i < REFUSED_MAX; i++) {
        uint64_t found = 0;
        if (atomic_compare_exchange_strong(&refused[i], &found, hash)) return true;
        if ((found & ~UINT64_C(1)) == hash) return false;
    }
    return false;
}

bool refused_texts_take(const char *text) {
    uint64_t hash = hash_of(text);
    for (size_t i = 0; i < REFUSED_MAX; i++) {
        uint64_t found = hash;
        if (atomic_compare_exchange_strong(&refused[i], &found, hash | 1)) return true;
        if (found == 0) return false;
    }
    return false;
}
