// SPDX-License-Identifier: Apache-2.0
#include "CTexts.h"

// #embed is a feature of C23; this is GNU's C11, like all our C.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const char dns64_scenario[] = {
#embed "../Scenarios/Questions/dns64.scenario" suffix(, 0)
};
const char *const ctexts_dns64_scenario = dns64_scenario;

static const char eyeballs_ladder[] = {
#embed "../../Service/SuiteRunner/Eyeballs/ladder.yaml" suffix(, 0)
};
const char *const ctexts_eyeballs_ladder = eyeballs_ladder;

static const char eyeballs_world[] = {
#embed "../../Service/SuiteRunner/Eyeballs/ladder-world.yaml" suffix(, 0)
};
const char *const ctexts_eyeballs_world = eyeballs_world;

static const char matrix_rows[] = {
#embed "../../Service/SuiteRunner/Matrix/rows.yaml" suffix(, 0)
};
const char *const ctexts_matrix_rows = matrix_rows;

static const char matrix_server_rows[] = {
#embed "../../Service/SuiteRunner/Matrix/server-rows.yaml" suffix(, 0)
};
const char *const ctexts_matrix_server_rows = matrix_server_rows;

static const char matrix_world[] = {
#embed "../../Service/SuiteRunner/Matrix/world.yaml" suffix(, 0)
};
const char *const ctexts_matrix_world = matrix_world;

static const char node_frames[] = {
#embed "../../Service/CheckRunner/Frames/node-frames.cjs" suffix(, 0)
};
const char *const ctexts_node_frames = node_frames;

static const char openapi[] = {
#embed "../../../docs/openapi.yaml" suffix(, 0)
};
const char *const ctexts_openapi = openapi;
