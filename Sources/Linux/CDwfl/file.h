// SPDX-License-Identifier: Apache-2.0
#ifndef CDWFL_FILE_H
#define CDWFL_FILE_H

#include "CDwfl.h"
#include "functions.h"

// Code of a unit. Not all compilers write .debug_aranges (clang and Go do not), so the ranges are read from the units, once.
struct cdwfl_range {
    Dwarf_Addr start, end;
    // Owned by libdw as long as the file is open.
    Dwarf_Die *unit;
};

struct cdwfl_file {
    Dwfl *dwfl;
    Dwfl_Module *module;
    // Sorted by start.
    struct cdwfl_range *ranges;
    size_t count, room;
    bool has_ranges;
    // Difference between an address in the file and one in its debug information, which may be a separate file.
    Dwarf_Addr bias;
};

// Returns the unit with the code at an address of the file, and that address in the debug information; null if there is none.
Dwarf_Die *cdwfl_unit(struct cdwfl_file *file, Dwarf_Addr address, Dwarf_Addr *place);

// The working directory of a unit's compiler; null if it is not known.
const char *cdwfl_folder(Dwarf_Die *unit);

#endif
