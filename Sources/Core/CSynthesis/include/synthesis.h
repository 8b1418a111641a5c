// SPDX-License-Identifier: Apache-2.0
/// The rules of literal synthesis, as pure functions from the client's question to an answer.
///
/// A question passes through two steps. `synthesis_plan` examines the question alone; most questions end there, with the reason why there
/// is no synthesis. A literal or a name that may be synthesised goes on: the caller then collects the facts about the machine that the
/// rules need (an IPv6 address, a Pref64, the service's port), and `synthesis_entries` returns the answer.
#ifndef CSYNTHESIS_SYNTHESIS_H
#define CSYNTHESIS_SYNTHESIS_H

#include "pref64.h"

#include <netdb.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The system whose getaddrinfo is imitated.
enum synthesis_profile {
    /// Apple's since Libinfo-600 (iOS 10, macOS 10.12).
    SYNTHESIS_APPLE,
    /// iOS 9.2 and OS X 10.11.2, the first with synthesis.
    SYNTHESIS_APPLE_IOS9,
    /// Android's: names only; literals are left to the CLAT.
    SYNTHESIS_ANDROID,
    /// Chromium's resolver: any literal that an IPv4 socket cannot reach.
    SYNTHESIS_CHROMIUM,
    /// Plain Linux: none.
    SYNTHESIS_LINUX,
};

enum { SYNTHESIS_PROFILE_COUNT = SYNTHESIS_LINUX + 1 };

/// `apple`, `apple-ios9`, `android`, `chromium`, `linux`.
const char *synthesis_profile_name(enum synthesis_profile profile);

/// False if there is no profile of that name.
bool synthesis_profile_named(const char *name, enum synthesis_profile *profile);

/// The arguments of getaddrinfo.
struct synthesis_question {
    const char *node;
    const char *service;
    const struct addrinfo *hints;
};

/// The outcome of a question; each value but the first two is a reason to leave the answer unchanged.
enum synthesis_reason {
    /// The literal was synthesised.
    SYNTHESIS_OF_LITERAL,
    /// Addresses of the name were synthesised.
    SYNTHESIS_OF_NAME,
    /// The profile does not synthesise for this kind of node.
    SYNTHESIS_NOT_BY_PROFILE,
    SYNTHESIS_NOT_WITHOUT_NODE,
    /// AI_NUMERICHOST.
    SYNTHESIS_NOT_WHEN_NUMERIC,
    /// Neither AF_UNSPEC nor AF_INET6.
    SYNTHESIS_NOT_FOR_FAMILY,
    /// The protocol has no IPv6 entry, or does not go with the socket type.
    SYNTHESIS_NOT_FOR_PROTOCOL,
    /// A number, but no strict dotted quad: `127.1`, `0x7f.1`, IPv6 text.
    SYNTHESIS_NOT_A_DOTTED_QUAD,
    /// An address that is never synthesised, or not under any of the given prefixes.
    SYNTHESIS_NOT_WHEN_EXCLUDED,
    /// No interface that is up has an IPv6 address.
    SYNTHESIS_NOT_WITHOUT_IPV6,
    /// An IPv4 socket reaches the address (chromium).
    SYNTHESIS_NOT_WHEN_REACHABLE,
    SYNTHESIS_NOT_FOR_UNKNOWN_SERVICE,
    SYNTHESIS_NOT_WITHOUT_PREF64,
    /// The name has an IPv6 address of its own, or no address at all.
    SYNTHESIS_NOT_NEEDED,
    /// Out of memory, or a libc that rejected its own addresses.
    SYNTHESIS_NOT_POSSIBLE,
};

enum { SYNTHESIS_REASON_COUNT = SYNTHESIS_NOT_POSSIBLE + 1 };

/// The word for a reason that evidence records carry, such as `literal` or `no-pref64`.
const char *synthesis_reason_name(enum synthesis_reason reason);

/// The next step for a question.
enum synthesis_step {
    /// Pass it to the real getaddrinfo, and return its answer.
    SYNTHESIS_PASS,
    /// Make the answer for `literal`.
    SYNTHESIS_MAKE,
    /// Pass it to the real getaddrinfo, and examine the answer.
    SYNTHESIS_REVIEW,
};

/// A pair of `ai_socktype` and `ai_protocol`.
struct synthesis_kind {
    int socktype;
    int protocol;
};

/// The outcome of examining a question. `node` and `service` are those of the question, or NULL in place of an empty string if the profile
/// reads it as NULL.
struct synthesis_plan {
    enum synthesis_profile profile;
    enum synthesis_step step;
    /// The reason, if the step is SYNTHESIS_PASS.
    enum synthesis_reason reason;
    const char *node;
    const char *service;
    struct in_addr literal;
    /// The entries that each synthesised address gets.
    size_t kind_count;
    struct synthesis_kind kinds[2];
    /// Whether the IPv4 address is appended as it is, or IPv4-mapped.
    bool append_ipv4;
    bool append_mapped;
    /// Facts about the machine that the rules need.
    bool needs_ipv6_address;
    bool needs_unreachable_ipv4;
};

/// Examines a question (rules 1 to 6 of Apple's behaviour, as far as the question alone decides them).
struct synthesis_plan synthesis_plan(enum synthesis_profile profile, const struct synthesis_question *question);

/// One entry of an answer; an IPv4 address is in the first four octets of `address`.
struct synthesis_entry {
    int family;
    struct synthesis_kind kind;
    uint16_t port;
    struct in6_addr address;
};

/// The most entries that one address can have: two kinds for each prefix, and two for the IPv4 address.
enum { SYNTHESIS_ENTRIES_MAX = 2 * PREF64_MAX + 2 };

/// The answer for the literal of a plan (rules 7 and 8), in order. None: the address is excluded under all prefixes.
size_t synthesis_entries(
    const struct synthesis_plan *plan, const struct pref64_list *prefixes, uint16_t port,
    struct synthesis_entry entries[SYNTHESIS_ENTRIES_MAX]);

/// The treatment of the answers for a name (rule 9).
enum synthesis_of_names {
    SYNTHESIS_NAMES_UNTOUCHED,
    /// The synthesised addresses follow the IPv4 ones (Apple).
    SYNTHESIS_NAMES_APPENDED,
    /// They come first, entry for entry, with the canonical name (Android).
    SYNTHESIS_NAMES_PREPENDED,
};
enum synthesis_of_names synthesis_of_names(enum synthesis_profile profile);

/// Whether the profile could synthesise this address under that prefix, judged by the exclusions alone.
bool synthesis_may_embed(enum synthesis_profile profile, const struct pref64 *prefix, struct in_addr ipv4);

/// Whether the profile could synthesise the address under any prefix at all.
bool synthesis_may_be_synthesised(enum synthesis_profile profile, struct in_addr ipv4);

/// Reads a numeric service as Apple's getaddrinfo does: decimal, from 0 to 65535; NULL is 0.
bool synthesis_numeric_service(const char *service, uint16_t *port);

/// The port in the answer for a service at `port`: another one if the profile has a quirk.
uint16_t synthesis_port(const struct synthesis_plan *plan, uint16_t port);

/// Whether a resolver reads the node as an address, in any of the forms of inet_aton and inet_pton.
bool synthesis_is_numeric_node(const char *node);

#endif
