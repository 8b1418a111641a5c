// SPDX-License-Identifier: Apache-2.0
#ifndef CDWFL_FILE_H
#define CDWFL_FILE_H

#include "CDwfl.h"
#include "functions.h"

// Code of a unit. Not all compilers write .debug_aranges (clang and Go do not), so the units say it themselves, once.
struct cdwfl_range {
    Dwarf_Addr start, end;
    // libdw's own, for as long as the file is open.
    Dwarf_Die *unit;
};

struct cdwfl_file {
    Dwfl *dwfl;
    Dwfl_Module *module;
    // By their starts.
    struct cdwfl_range *ranges;
    size_t count, room;
    bool has_ranges;
    // Between an address of the file and one of its debug information, which may be a file of its own.
    Dwarf_Addr bias;
};

// The unit that has the code at an address of the file, and that address in the debug information; null where none has.
Dwarf_Die *cdwfl_unit(struct cdwfl_file *file, Dwarf_Addr address, Dwarf_Addr *place);

// Where the compiler of a unit ran; null if that is not known.
const char *cdwfl_folder(Dwarf_Die *unit);

#endif
