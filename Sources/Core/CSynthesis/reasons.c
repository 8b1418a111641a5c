// SPDX-License-Identifier: Apache-2.0
// The words for reasons. They are part of the evidence format, so their meaning never changes.
#include "include/synthesis.h"

static const char *const names[SYNTHESIS_REASON_COUNT] = {
    [SYNTHESIS_OF_LITERAL] = "literal",
    [SYNTHESIS_OF_NAME] = "name",
    [SYNTHESIS_NOT_BY_PROFILE] = "profile",
    [SYNTHESIS_NOT_WITHOUT_NODE] = "no-node",
    [SYNTHESIS_NOT_WHEN_NUMERIC] = "numerichost",
    [SYNTHESIS_NOT_FOR_FAMILY] = "family",
    [SYNTHESIS_NOT_FOR_PROTOCOL] = "protocol",
    [SYNTHESIS_NOT_A_DOTTED_QUAD] = "no-dotted-quad",
    [SYNTHESIS_NOT_WHEN_EXCLUDED] = "excluded",
    [SYNTHESIS_NOT_WITHOUT_IPV6] = "no-ipv6-address",
    [SYNTHESIS_NOT_WHEN_REACHABLE] = "ipv4-reachable",
    [SYNTHESIS_NOT_FOR_UNKNOWN_SERVICE] = "unknown-service",
    [SYNTHESIS_NOT_WITHOUT_PREF64] = "no-pref64",
    [SYNTHESIS_NOT_NEEDED] = "not-needed",
    [SYNTHESIS_NOT_POSSIBLE] = "failed",
};

const char *synthesis_reason_name(enum synthesis_reason reason) {
    return names[(unsigned)reason < SYNTHESIS_REASON_COUNT ? reason : SYNTHESIS_NOT_POSSIBLE];
}
