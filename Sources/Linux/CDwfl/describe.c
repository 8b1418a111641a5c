#include "file.h"

#include <stdlib.h>
#include <string.h>

static const char *folder(Dwarf_Die *unit) {
    Dwarf_Attribute attribute;
    return dw.dwarf_formstring(dw.dwarf_attr(unit, DW_AT_comp_dir, &attribute));
}

static int number(Dwarf_Die *die, unsigned name) {
    Dwarf_Attribute attribute;
    Dwarf_Word value;
    if (dw.dwarf_formudata(dw.dwarf_attr_integrate(die, name, &attribute), &value) != 0) return 0;
    return value > INT32_MAX ? 0 : (int)value;
}

// Where an inlined function was called.
static void go_to_call(Dwarf_Die *unit, Dwarf_Die *inlined, struct cdwfl_line *line) {
    Dwarf_Files *files;
    size_t count;
    const int file = number(inlined, DW_AT_call_file);
    line->line = number(inlined, DW_AT_call_line);
    line->file = NULL;
    if (dw.dwarf_getsrcfiles(unit, &files, &count) == 0 && (size_t)file < count)
        line->file = dw.dwarf_filesrc(files, (size_t)file, NULL, NULL);
}

static size_t by_scopes(
    Dwarf_Die *unit, Dwarf_Addr address, struct cdwfl_line line, struct cdwfl_line *lines, size_t room
) {
    Dwarf_Die *scopes = NULL, *nest = NULL;
    size_t found = 0;
    // The scopes of an inlined function go on where that one is defined; those of the entry itself, where it is called.
    int count = dw.dwarf_getscopes(unit, address, &scopes);
    if (count > 0) count = dw.dwarf_getscopes_die(&scopes[0], &nest);
    for (int i = 0; i < count && nest && found < room; i++) {
        const int tag = dw.dwarf_tag(&nest[i]);
        if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram) continue;
        line.function = dw.dwarf_diename(&nest[i]);
        lines[found++] = line;
        if (tag == DW_TAG_subprogram) break;
        go_to_call(unit, &nest[i], &line);
    }
    free(scopes);
    free(nest);
    return found;
}

static void add_symbol(struct cdwfl_file *file, uint64_t address, struct cdwfl_line *line) {
    GElf_Off offset;
    GElf_Sym symbol;
    const char *name = dw.dwfl_module_addrinfo(file->module, address, &offset, &symbol, NULL, NULL, NULL);
    // The nearest symbol of a stripped file may be of something else.
    if (!name || name[0] == 0 || offset >= symbol.st_size) return;
    line->function = name;
    line->is_symbol = true;
}

size_t cdwfl_describe(struct cdwfl_file *file, uint64_t address, struct cdwfl_line *lines, size_t room) {
    if (room == 0) return 0;
    struct cdwfl_line line = {0};
    Dwarf_Addr place;
    Dwarf_Die *unit = cdwfl_unit(file, address, &place);
    size_t found = 0;
    if (unit) {
        Dwarf_Line *source = dw.dwarf_getsrc_die(unit, place);
        line.folder = folder(unit);
        if (source) {
            line.file = dw.dwarf_linesrc(source, NULL, NULL);
            if (dw.dwarf_lineno(source, &line.line) != 0) line.line = 0;
        }
        found = by_scopes(unit, place, line, lines, room);
    }
    if (found == 0) lines[found++] = line;
    // An assembler's unit has lines and no functions.
    struct cdwfl_line *outermost = &lines[found - 1];
    if (!outermost->function) add_symbol(file, address, outermost);
    return found;
}
