// SPDX-License-Identifier: Apache-2.0
#ifndef CTEXTS_H
#define CTEXTS_H

#include <stddef.h>

// Files of the repository that are embedded in the executables, each followed by NUL. They are in C because the Swift compiler takes a
// quarter of a second for each kilobyte of an array.

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
// Sorted by rule.
extern const struct ctexts_page *const ctexts_rule_pages;
extern const size_t ctexts_rule_page_count;

#endif
