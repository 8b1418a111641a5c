// SPDX-License-Identifier: Apache-2.0
#ifndef CTEXTS_H
#define CTEXTS_H

#include <stddef.h>

// Files of the repository, in the executables. Behind each stands a NUL. In C, as it takes the Swift compiler a quarter of a second for each
// kilobyte.

extern const char *const ctexts_dns64_scenario;
extern const char *const ctexts_eyeballs_ladder;
extern const char *const ctexts_eyeballs_world;
extern const char *const ctexts_matrix_rows;
extern const char *const ctexts_matrix_server_rows;
extern const char *const ctexts_matrix_world;
extern const char *const ctexts_node_frames;
extern const char *const ctexts_openapi;

struct ctexts_page {
    // `V6C-001`
    const char *rule;
    const char *text;
};
// In the order of the rules.
extern const struct ctexts_page *const ctexts_rule_pages;
extern const size_t ctexts_rule_page_count;

#endif
