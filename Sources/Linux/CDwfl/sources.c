// SPDX-License-Identifier: Apache-2.0
#include "file.h"

// Units beyond this limit are left out.
enum { unit_limit = 1 << 14 };

size_t cdwfl_sources(struct cdwfl_file *file, struct cdwfl_source *sources, size_t room) {
    size_t found = 0;
    Dwarf_Die *unit = NULL;
    for (int units = 0; units < unit_limit && (unit = dw.dwfl_module_nextcu(file->module, unit, &file->bias)); units++) {
        Dwarf_Files *files;
        size_t count;
        if (dw.dwarf_getsrcfiles(unit, &files, &count) != 0) continue;
        // Entry 0 is unused (DWARF 4), or the unit's own file, which is repeated (DWARF 5 §6.2.4).
        for (size_t index = 1; index < count && found < room; index++) {
            const char *name = dw.dwarf_filesrc(files, index, NULL, NULL);
            if (name) sources[found++] = (struct cdwfl_source){name, cdwfl_folder(unit)};
        }
    }
    return found;
}
