// SPDX-License-Identifier: Apache-2.0
#include "file.h"

const char *cdwfl_folder(Dwarf_Die *unit) {
    Dwarf_Attribute attribute;
    return dw.dwarf_formstring(dw.dwarf_attr(unit, DW_AT_comp_dir, &attribute));
}

static int number(Dwarf_Die *die, unsigned name) {
    Dwarf_Attribute attribute;
    Dwarf_Word value;
    if (dw.dwarf_formudata(dw.dwarf_attr_integrate(die, name, &attribute), &value) != 0) return 0;
    return value > INT32_MAX ? 0 : (int)value;
}

// Sets the file and line to the place at which an inlined function was called.
static void go_to_call(Dwarf_Die *unit, Dwarf_Die *inlined, struct cdwfl_line *line) {
    Dwarf_Files *files;
    size_t count;
    const int file = number(inlined, DW_AT_call_file);
    line->line = number(inlined, DW_AT_call_line);
    line->file = NULL;
    if (dw.dwarf_getsrcfiles(unit, &files, &count) == 0 && (size_t)file < count)
        line->file = dw.dwarf_filesrc(files, (size_t)file, NULL, NULL);
}

// The functions that contain an address, the outermost first. dwarf_getscopes does not search namespaces and modules, which contain the
// functions of Rust and Swift.
struct nest {
    Dwarf_Addr address;
    size_t count;
    // Remaining number of entries to visit: those of an untrusted file may form cycles.
    size_t patience;
    Dwarf_Die functions[64];
};

enum { deepest = 256, patience = 1 << 24 };

static bool descend(Dwarf_Die *parent, struct nest *nest, int depth) {
    Dwarf_Die child;
    if (depth == deepest || dw.dwarf_child(parent, &child) != 0) return false;
    do {
        if (nest->patience == 0 || nest->count == sizeof nest->functions / sizeof *nest->functions) return true;
        nest->patience--;
        const int tag = dw.dwarf_tag(&child);
        switch (tag) {
        case DW_TAG_namespace:
        case DW_TAG_module:
        case DW_TAG_class_type:
        case DW_TAG_structure_type:
        case DW_TAG_union_type:
        case DW_TAG_enumeration_type:
            if (descend(&child, nest, depth + 1)) return true;
            break;
        case DW_TAG_subprogram:
        case DW_TAG_inlined_subroutine:
        case DW_TAG_lexical_block:
            if (dw.dwarf_haspc(&child, nest->address) <= 0) break;
            if (tag != DW_TAG_lexical_block) nest->functions[nest->count++] = child;
            descend(&child, nest, depth + 1);
            return true;
        }
    } while (dw.dwarf_siblingof(&child, &child) == 0);
    return false;
}

static size_t by_functions(
    Dwarf_Die *unit, Dwarf_Addr address, struct cdwfl_line line, struct cdwfl_line *lines, size_t room
) {
    struct nest nest = {.address = address, .count = 0, .patience = patience};
    descend(unit, &nest, 0);
    size_t found = 0;
    while (nest.count > 0 && found < room) {
        Dwarf_Die *function = &nest.functions[--nest.count];
        line.function = dw.dwarf_diename(function);
        lines[found++] = line;
        if (dw.dwarf_tag(function) == DW_TAG_subprogram) break;
        go_to_call(unit, function, &line);
    }
    return found;
}

static void add_symbol(struct cdwfl_file *file, uint64_t address, struct cdwfl_line *line) {
    GElf_Off offset;
    GElf_Sym symbol;
    const char *name = dw.dwfl_module_addrinfo(file->module, address, &offset, &symbol, NULL, NULL, NULL);
    // In a stripped file the nearest symbol may belong to another function.
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
        line.folder = cdwfl_folder(unit);
        if (source) {
            line.file = dw.dwarf_linesrc(source, NULL, NULL);
            if (dw.dwarf_lineno(source, &line.line) != 0) line.line = 0;
        }
        found = by_functions(unit, place, line, lines, room);
    }
    if (found == 0) lines[found++] = line;
    // The unit of an assembler has lines but no functions.
    struct cdwfl_line *outermost = &lines[found - 1];
    if (!outermost->function) add_symbol(file, address, outermost);
    return found;
}
