// SPDX-License-Identifier: Apache-2.0
// Made by scripts/rule-pages.
#include "CTexts.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const char V6C_001[] = {
#embed "../../../docs/rules/V6C-001.md" suffix(, 0)
};

static const char V6C_002[] = {
#embed "../../../docs/rules/V6C-002.md" suffix(, 0)
};

static const char V6C_003[] = {
#embed "../../../docs/rules/V6C-003.md" suffix(, 0)
};

static const char V6C_004[] = {
#embed "../../../docs/rules/V6C-004.md" suffix(, 0)
};

static const char V6C_005[] = {
#embed "../../../docs/rules/V6C-005.md" suffix(, 0)
};

static const char V6C_006[] = {
#embed "../../../docs/rules/V6C-006.md" suffix(, 0)
};

static const char V6C_007[] = {
#embed "../../../docs/rules/V6C-007.md" suffix(, 0)
};

static const char V6C_008[] = {
#embed "../../../docs/rules/V6C-008.md" suffix(, 0)
};

static const char V6C_009[] = {
#embed "../../../docs/rules/V6C-009.md" suffix(, 0)
};

static const char V6C_010[] = {
#embed "../../../docs/rules/V6C-010.md" suffix(, 0)
};

static const char V6C_011[] = {
#embed "../../../docs/rules/V6C-011.md" suffix(, 0)
};

static const char V6C_012[] = {
#embed "../../../docs/rules/V6C-012.md" suffix(, 0)
};

static const char V6C_013[] = {
#embed "../../../docs/rules/V6C-013.md" suffix(, 0)
};

static const char V6C_014[] = {
#embed "../../../docs/rules/V6C-014.md" suffix(, 0)
};

static const char V6C_015[] = {
#embed "../../../docs/rules/V6C-015.md" suffix(, 0)
};

static const char V6C_016[] = {
#embed "../../../docs/rules/V6C-016.md" suffix(, 0)
};

static const char V6C_017[] = {
#embed "../../../docs/rules/V6C-017.md" suffix(, 0)
};

static const char V6C_018[] = {
#embed "../../../docs/rules/V6C-018.md" suffix(, 0)
};

static const char V6C_019[] = {
#embed "../../../docs/rules/V6C-019.md" suffix(, 0)
};

static const char V6C_020[] = {
#embed "../../../docs/rules/V6C-020.md" suffix(, 0)
};

static const char V6C_021[] = {
#embed "../../../docs/rules/V6C-021.md" suffix(, 0)
};

static const char V6C_022[] = {
#embed "../../../docs/rules/V6C-022.md" suffix(, 0)
};

static const char V6C_023[] = {
#embed "../../../docs/rules/V6C-023.md" suffix(, 0)
};

static const char V6C_024[] = {
#embed "../../../docs/rules/V6C-024.md" suffix(, 0)
};

static const char V6C_025[] = {
#embed "../../../docs/rules/V6C-025.md" suffix(, 0)
};

static const char V6C_026[] = {
#embed "../../../docs/rules/V6C-026.md" suffix(, 0)
};

static const char V6C_027[] = {
#embed "../../../docs/rules/V6C-027.md" suffix(, 0)
};

static const char V6C_028[] = {
#embed "../../../docs/rules/V6C-028.md" suffix(, 0)
};

static const char V6C_029[] = {
#embed "../../../docs/rules/V6C-029.md" suffix(, 0)
};

static const char V6C_030[] = {
#embed "../../../docs/rules/V6C-030.md" suffix(, 0)
};

static const char V6C_031[] = {
#embed "../../../docs/rules/V6C-031.md" suffix(, 0)
};

static const char V6C_032[] = {
#embed "../../../docs/rules/V6C-032.md" suffix(, 0)
};

static const char V6C_033[] = {
#embed "../../../docs/rules/V6C-033.md" suffix(, 0)
};

static const char V6C_034[] = {
#embed "../../../docs/rules/V6C-034.md" suffix(, 0)
};

static const char V6C_035[] = {
#embed "../../../docs/rules/V6C-035.md" suffix(, 0)
};

static const char V6C_036[] = {
#embed "../../../docs/rules/V6C-036.md" suffix(, 0)
};

static const char V6C_037[] = {
#embed "../../../docs/rules/V6C-037.md" suffix(, 0)
};

static const char V6C_038[] = {
#embed "../../../docs/rules/V6C-038.md" suffix(, 0)
};

static const char V6C_039[] = {
#embed "../../../docs/rules/V6C-039.md" suffix(, 0)
};

static const char V6C_040[] = {
#embed "../../../docs/rules/V6C-040.md" suffix(, 0)
};

static const char V6C_041[] = {
#embed "../../../docs/rules/V6C-041.md" suffix(, 0)
};

static const char V6C_042[] = {
#embed "../../../docs/rules/V6C-042.md" suffix(, 0)
};

static const char V6C_043[] = {
#embed "../../../docs/rules/V6C-043.md" suffix(, 0)
};

static const char V6C_044[] = {
#embed "../../../docs/rules/V6C-044.md" suffix(, 0)
};

static const char V6C_045[] = {
#embed "../../../docs/rules/V6C-045.md" suffix(, 0)
};

static const char V6C_046[] = {
#embed "../../../docs/rules/V6C-046.md" suffix(, 0)
};

static const char V6C_047[] = {
#embed "../../../docs/rules/V6C-047.md" suffix(, 0)
};

static const char V6C_048[] = {
#embed "../../../docs/rules/V6C-048.md" suffix(, 0)
};

static const char V6C_049[] = {
#embed "../../../docs/rules/V6C-049.md" suffix(, 0)
};

static const char V6C_050[] = {
#embed "../../../docs/rules/V6C-050.md" suffix(, 0)
};

static const char V6C_051[] = {
#embed "../../../docs/rules/V6C-051.md" suffix(, 0)
};

static const char V6C_052[] = {
#embed "../../../docs/rules/V6C-052.md" suffix(, 0)
};

static const char V6C_053[] = {
#embed "../../../docs/rules/V6C-053.md" suffix(, 0)
};

static const char V6C_054[] = {
#embed "../../../docs/rules/V6C-054.md" suffix(, 0)
};

static const char V6C_055[] = {
#embed "../../../docs/rules/V6C-055.md" suffix(, 0)
};

static const char V6C_056[] = {
#embed "../../../docs/rules/V6C-056.md" suffix(, 0)
};

static const char V6C_057[] = {
#embed "../../../docs/rules/V6C-057.md" suffix(, 0)
};

static const char V6C_058[] = {
#embed "../../../docs/rules/V6C-058.md" suffix(, 0)
};

static const char V6C_059[] = {
#embed "../../../docs/rules/V6C-059.md" suffix(, 0)
};

static const char V6C_060[] = {
#embed "../../../docs/rules/V6C-060.md" suffix(, 0)
};

static const char V6C_061[] = {
#embed "../../../docs/rules/V6C-061.md" suffix(, 0)
};

static const char V6C_062[] = {
#embed "../../../docs/rules/V6C-062.md" suffix(, 0)
};

static const char V6C_070[] = {
#embed "../../../docs/rules/V6C-070.md" suffix(, 0)
};

static const char V6C_071[] = {
#embed "../../../docs/rules/V6C-071.md" suffix(, 0)
};

static const char V6C_072[] = {
#embed "../../../docs/rules/V6C-072.md" suffix(, 0)
};

static const char V6C_073[] = {
#embed "../../../docs/rules/V6C-073.md" suffix(, 0)
};

static const char V6C_078[] = {
#embed "../../../docs/rules/V6C-078.md" suffix(, 0)
};

static const char V6C_080[] = {
#embed "../../../docs/rules/V6C-080.md" suffix(, 0)
};

static const char V6C_081[] = {
#embed "../../../docs/rules/V6C-081.md" suffix(, 0)
};

static const char V6C_082[] = {
#embed "../../../docs/rules/V6C-082.md" suffix(, 0)
};

static const char V6C_084[] = {
#embed "../../../docs/rules/V6C-084.md" suffix(, 0)
};

static const char V6C_085[] = {
#embed "../../../docs/rules/V6C-085.md" suffix(, 0)
};

static const char V6C_086[] = {
#embed "../../../docs/rules/V6C-086.md" suffix(, 0)
};

static const char V6C_087[] = {
#embed "../../../docs/rules/V6C-087.md" suffix(, 0)
};

static const char V6C_088[] = {
#embed "../../../docs/rules/V6C-088.md" suffix(, 0)
};

static const char V6C_089[] = {
#embed "../../../docs/rules/V6C-089.md" suffix(, 0)
};

static const char V6C_090[] = {
#embed "../../../docs/rules/V6C-090.md" suffix(, 0)
};

static const char V6C_091[] = {
#embed "../../../docs/rules/V6C-091.md" suffix(, 0)
};

static const char V6C_092[] = {
#embed "../../../docs/rules/V6C-092.md" suffix(, 0)
};

static const char V6C_093[] = {
#embed "../../../docs/rules/V6C-093.md" suffix(, 0)
};

static const char V6C_094[] = {
#embed "../../../docs/rules/V6C-094.md" suffix(, 0)
};

static const char V6C_095[] = {
#embed "../../../docs/rules/V6C-095.md" suffix(, 0)
};

static const char V6C_096[] = {
#embed "../../../docs/rules/V6C-096.md" suffix(, 0)
};

static const char V6C_097[] = {
#embed "../../../docs/rules/V6C-097.md" suffix(, 0)
};

static const char V6C_098[] = {
#embed "../../../docs/rules/V6C-098.md" suffix(, 0)
};

static const char V6C_099[] = {
#embed "../../../docs/rules/V6C-099.md" suffix(, 0)
};

static const char V6C_100[] = {
#embed "../../../docs/rules/V6C-100.md" suffix(, 0)
};

static const char V6C_101[] = {
#embed "../../../docs/rules/V6C-101.md" suffix(, 0)
};

static const char V6C_102[] = {
#embed "../../../docs/rules/V6C-102.md" suffix(, 0)
};

static const char V6C_103[] = {
#embed "../../../docs/rules/V6C-103.md" suffix(, 0)
};

static const struct ctexts_page pages[] = {
    {"V6C-001", V6C_001},
    {"V6C-002", V6C_002},
    {"V6C-003", V6C_003},
    {"V6C-004", V6C_004},
    {"V6C-005", V6C_005},
    {"V6C-006", V6C_006},
    {"V6C-007", V6C_007},
    {"V6C-008", V6C_008},
    {"V6C-009", V6C_009},
    {"V6C-010", V6C_010},
    {"V6C-011", V6C_011},
    {"V6C-012", V6C_012},
    {"V6C-013", V6C_013},
    {"V6C-014", V6C_014},
    {"V6C-015", V6C_015},
    {"V6C-016", V6C_016},
    {"V6C-017", V6C_017},
    {"V6C-018", V6C_018},
    {"V6C-019", V6C_019},
    {"V6C-020", V6C_020},
    {"V6C-021", V6C_021},
    {"V6C-022", V6C_022},
    {"V6C-023", V6C_023},
    {"V6C-024", V6C_024},
    {"V6C-025", V6C_025},
    {"V6C-026", V6C_026},
    {"V6C-027", V6C_027},
    {"V6C-028", V6C_028},
    {"V6C-029", V6C_029},
    {"V6C-030", V6C_030},
    {"V6C-031", V6C_031},
    {"V6C-032", V6C_032},
    {"V6C-033", V6C_033},
    {"V6C-034", V6C_034},
    {"V6C-035", V6C_035},
    {"V6C-036", V6C_036},
    {"V6C-037", V6C_037},
    {"V6C-038", V6C_038},
    {"V6C-039", V6C_039},
    {"V6C-040", V6C_040},
    {"V6C-041", V6C_041},
    {"V6C-042", V6C_042},
    {"V6C-043", V6C_043},
    {"V6C-044", V6C_044},
    {"V6C-045", V6C_045},
    {"V6C-046", V6C_046},
    {"V6C-047", V6C_047},
    {"V6C-048", V6C_048},
    {"V6C-049", V6C_049},
    {"V6C-050", V6C_050},
    {"V6C-051", V6C_051},
    {"V6C-052", V6C_052},
    {"V6C-053", V6C_053},
    {"V6C-054", V6C_054},
    {"V6C-055", V6C_055},
    {"V6C-056", V6C_056},
    {"V6C-057", V6C_057},
    {"V6C-058", V6C_058},
    {"V6C-059", V6C_059},
    {"V6C-060", V6C_060},
    {"V6C-061", V6C_061},
    {"V6C-062", V6C_062},
    {"V6C-070", V6C_070},
    {"V6C-071", V6C_071},
    {"V6C-072", V6C_072},
    {"V6C-073", V6C_073},
    {"V6C-078", V6C_078},
    {"V6C-080", V6C_080},
    {"V6C-081", V6C_081},
    {"V6C-082", V6C_082},
    {"V6C-084", V6C_084},
    {"V6C-085", V6C_085},
    {"V6C-086", V6C_086},
    {"V6C-087", V6C_087},
    {"V6C-088", V6C_088},
    {"V6C-089", V6C_089},
    {"V6C-090", V6C_090},
    {"V6C-091", V6C_091},
    {"V6C-092", V6C_092},
    {"V6C-093", V6C_093},
    {"V6C-094", V6C_094},
    {"V6C-095", V6C_095},
    {"V6C-096", V6C_096},
    {"V6C-097", V6C_097},
    {"V6C-098", V6C_098},
    {"V6C-099", V6C_099},
    {"V6C-100", V6C_100},
    {"V6C-101", V6C_101},
    {"V6C-102", V6C_102},
    {"V6C-103", V6C_103},
};
const struct ctexts_page *const ctexts_rule_pages = pages;
const size_t ctexts_rule_page_count = sizeof pages / sizeof *pages;
