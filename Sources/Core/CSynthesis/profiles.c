// SPDX-License-Identifier: Apache-2.0
// The profiles, one row each. Rules that more than one profile follows are code; this table assigns them to profiles.
#include "profiles.h"

#include <string.h>

static const struct profile profiles[SYNTHESIS_PROFILE_COUNT] = {
    // Libinfo-600.
    [SYNTHESIS_APPLE] =
        {
            .name = "apple",
            .literals = true,
            .names = SYNTHESIS_NAMES_APPENDED,
            .empty_is_null = true,
            .appends_ipv4 = true,
            .zero_flags_mean_default = true,
            .needs_ipv6_address = true,
            .names_synthesised = true,
            .always_excluded = EXCLUDE_APPLE,
            .excluded_under_well_known_prefix = EXCLUDE_PRIVATE,
        },
    // The first with synthesis: no exclusions, and a numeric service was lost.
    [SYNTHESIS_APPLE_IOS9] =
        {
            .name = "apple-ios9",
            .literals = true,
            .names = SYNTHESIS_NAMES_APPENDED,
            .empty_is_null = true,
            .appends_ipv4 = true,
            .zero_flags_mean_default = true,
            .drops_numeric_port = true,
            .needs_ipv6_address = true,
        },
    // netd's DNS64 step, which has one prefix per network and refuses any length but 96.
    [SYNTHESIS_ANDROID] =
        {
            .name = "android",
            .names = SYNTHESIS_NAMES_PREPENDED,
            .only_first_96 = true,
            .always_excluded = EXCLUDE_ANDROID,
        },
    // HostResolverNat64Task.
    [SYNTHESIS_CHROMIUM] =
        {
            .name = "chromium",
            .literals = true,
            .needs_unreachable_ipv4 = true,
        },
    [SYNTHESIS_LINUX] = {.name = "linux"},
};

const struct profile *profile_rules(enum synthesis_profile profile) {
    return &profiles[(unsigned)profile < SYNTHESIS_PROFILE_COUNT ? profile : SYNTHESIS_LINUX];
}

const char *synthesis_profile_name(enum synthesis_profile profile) { return profile_rules(profile)->name; }

bool synthesis_profile_named(const char *name, enum synthesis_profile *profile) {
    for (int i = 0; i < SYNTHESIS_PROFILE_COUNT; i++) {
        if (strcmp(name, profiles[i].name) == 0) {
            *profile = (enum synthesis_profile)i;
            return true;
        }
    }
    return false;
}

enum synthesis_of_names synthesis_of_names(enum synthesis_profile profile) { return profile_rules(profile)->names; }

bool synthesis_may_be_synthesised(enum synthesis_profile profile, struct in_addr ipv4) {
    return !exclusion_covers(profile_rules(profile)->always_excluded, ipv4);
}

bool synthesis_may_embed(enum synthesis_profile profile, const struct pref64 *prefix, struct in_addr ipv4) {
    const struct profile *rules = profile_rules(profile);
    if (exclusion_covers(rules->always_excluded, ipv4)) return false;
    return !pref64_is_well_known(prefix) || !exclusion_covers(rules->excluded_under_well_known_prefix, ipv4);
}
