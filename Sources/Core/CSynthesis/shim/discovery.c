// SPDX-License-Identifier: Apache-2.0
// Discovery, and the times of its repetition.
//
//      nothing known --ask--> prefixes, for the records' TTL ----------\ expired, or another network:
//                    \------> no DNS64, for the SOA's negative TTL ----+--> nothing known
//                     \-----> no answer, for 5, 10, 20 ... 320 s ------/
//
// One thread of a process asks. The others wait for it, but no longer than an exchange may take, as the asking thread may be gone. `asking`
// holds the process id, so the child of a fork does not wait for a thread that only its parent has.
#define _GNU_SOURCE
#include "discovery.h"
#include "configuration.h"
#include "fingerprint.h"
#include "interfaces.h"
#include "knowledge.h"
#include "query.h"
#include "scratch.h"

#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// The kernel's numbers (futex(2)); musl-gcc does not find the kernel's headers.
enum { FUTEX_WAIT_PRIVATE = 128, FUTEX_WAKE_PRIVATE = 129 };

enum {
    ROUNDS = 2,
    SERVER_TIMEOUT = 1000,
    TIMEOUT = 3000,
    BACK_OFF = 5000,
    BACK_OFF_DOUBLINGS = 6,
    /// Bounds of an accepted TTL, in seconds.
    TTL_MIN = 1,
    TTL_MAX = 86400,
};

static _Atomic int asking;

/// Makes this thread the one that asks; false if another thread is.
static bool claim(int pid) {
    int holder = atomic_load(&asking);
    return holder != pid && atomic_compare_exchange_strong(&asking, &holder, pid);
}

static void release(int pid) {
    atomic_compare_exchange_strong(&asking, &pid, 0);
    syscall(SYS_futex, &asking, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
}

/// Waits until the other thread has finished asking, or for `milliseconds`.
static void wait_for_other(int pid, int64_t milliseconds) {
    struct timespec timeout = {.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000};
    syscall(SYS_futex, &asking, FUTEX_WAIT_PRIVATE, pid, &timeout, NULL, 0);
}

static int64_t clamp(int64_t value, int64_t least, int64_t most) {
    return value < least ? least : value > most ? most : value;
}

/// Asks the servers in turn. In the second round the letters of the name do not count: some servers change their case.
static enum ipv4only_reply ask(const struct resolv_conf *conf, struct query_workspace *workspace) {
    int64_t end = query_now() + TIMEOUT;
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < conf->count; i++) {
            int64_t now = query_now();
            if (now >= end) return IPV4ONLY_FAILED;
            int64_t deadline = now + SERVER_TIMEOUT < end ? now + SERVER_TIMEOUT : end;
            enum ipv4only_reply reply = query_ask(&conf->servers[i], deadline, round == 0, workspace);
            if (reply != IPV4ONLY_FAILED) return reply;
        }
    }
    return IPV4ONLY_FAILED;
}

/// Asks, and derives the knowledge from the answer.
static void discover(
    const struct resolv_conf *conf, struct query_workspace *workspace, struct knowledge *learnt, uint32_t failures
) {
    int64_t valid;
    if (workspace == NULL || ask(conf, workspace) == IPV4ONLY_FAILED) {
        learnt->failures = failures < BACK_OFF_DOUBLINGS ? failures + 1 : failures;
        valid = (int64_t)BACK_OFF << failures;
    } else {
        ipv4only_prefixes(&workspace->answer, &learnt->prefixes);
        valid = clamp(workspace->answer.ttl, TTL_MIN, TTL_MAX) * 1000;
    }
    learnt->expires = query_now() + valid;
}

/// A fingerprint of the servers and the host's addresses: a change of either means another network (RFC 7050 §3).
static uint64_t network(const struct resolv_conf *conf) {
    struct interfaces interfaces = interfaces_now();
    return fingerprint_add(interfaces.fingerprint, conf, sizeof *conf);
}

void discovery_prefixes(struct pref64_list *prefixes) {
    const struct configuration *settings = configuration();
    if (settings->prefixes_known) {
        *prefixes = settings->prefixes;
        return;
    }
    if (settings->prefixes_in_resolv_conf) {
        // A program may have replaced the file by one without prefixes.
        prefixes->count = 0;
        if (resolv_conf_prefixes(prefixes)) return;
    }
    struct resolv_conf conf = resolv_conf_now();
    uint64_t fingerprint = network(&conf);
    int64_t end = query_now() + TIMEOUT;
    int pid = getpid();
    bool claimed = false;
    struct knowledge known = {0};
    for (;;) {
        bool applies = knowledge_read(&known) && known.fingerprint == fingerprint;
        int64_t now = query_now();
        if (applies && now < known.expires) {
            if (claimed) release(pid);
            *prefixes = known.prefixes;
            return;
        }
        if (!applies) known.failures = 0;
        // Check again after the claim: another thread may have just received an answer.
        if (claimed || now >= end) break;
        claimed = claim(pid);
        if (!claimed) wait_for_other(pid, end - now);
    }
    uint32_t failures = known.failures;
    struct query_workspace *workspace = scratch_take(sizeof *workspace);
    known = (struct knowledge){.fingerprint = fingerprint};
    discover(&conf, workspace, &known, failures);
    if (workspace != NULL) scratch_give_back(workspace, sizeof *workspace);
    knowledge_write(&known);
    if (claimed) release(pid);
    *prefixes = known.prefixes;
}
