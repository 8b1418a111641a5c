// SPDX-License-Identifier: Apache-2.0
#include "file.h"
#include "opening.h"

#include <stdlib.h>
#include <unistd.h>

// Maximum number of ranges per file: sixteen times those of a browser.
enum { range_limit = 1 << 22 };

struct cdwfl_file *cdwfl_file_open(const char *path, bool has_lines) {
    // Separate debug information is found by build id, by .gnu_debuglink and .gnu_debugaltlink, below /usr/lib/debug and beside
    // the file.
    static Dwfl_Callbacks with_lines, without_lines = {.find_debuginfo = cdwfl_find_nothing};
    with_lines.find_debuginfo = dw.dwfl_standard_find_debuginfo;
    with_lines.section_address = without_lines.section_address = dw.dwfl_offline_section_address;
    const int descriptor = cdwfl_open_regular(path);
    struct cdwfl_file *file = descriptor < 0 ? NULL : calloc(1, sizeof *file);
    if (file && (file->dwfl = dw.dwfl_begin(has_lines ? &with_lines : &without_lines))) {
        dw.dwfl_report_begin(file->dwfl);
        // At the address for which it is linked, so that an address in the file equals that of the Dwfl.
        file->module = dw.dwfl_report_elf(file->dwfl, path, path, descriptor, 0, true);
        dw.dwfl_report_end(file->dwfl, NULL, NULL);
        // A file may have debug information of its own.
        file->has_ranges = !has_lines;
        // libdw now owns the descriptor.
        if (file->module) return file;
    }
    if (descriptor >= 0) close(descriptor);
    if (file) cdwfl_file_close(file);
    return NULL;
}

void cdwfl_file_close(struct cdwfl_file *file) {
    if (file->dwfl) dw.dwfl_end(file->dwfl);
    free(file->ranges);
    free(file);
}

uint64_t cdwfl_file_base(const struct cdwfl_file *file) {
    Dwarf_Addr start = 0;
    dw.dwfl_module_info(file->module, NULL, &start, NULL, NULL, NULL, NULL, NULL);
    return start;
}

size_t cdwfl_file_build_id(struct cdwfl_file *file, const uint8_t **octets) {
    GElf_Addr bias, address;
    if (!dw.dwfl_module_getelf(file->module, &bias)) return 0;
    const int length = dw.dwfl_module_build_id(file->module, octets, &address);
    return length > 0 ? (size_t)length : 0;
}

// MARK: - Units

static bool add(struct cdwfl_file *file, Dwarf_Addr start, Dwarf_Addr end, Dwarf_Die *unit) {
    if (file->count == file->room) {
        const size_t room = file->room == 0 ? 256 : 2 * file->room;
        struct cdwfl_range *ranges = room > range_limit ? NULL : realloc(file->ranges, room * sizeof *ranges);
        if (!ranges) return false;
        file->ranges = ranges;
        file->room = room;
    }
    file->ranges[file->count++] = (struct cdwfl_range){start, end, unit};
    return true;
}

static void find_ranges(struct cdwfl_file *file) {
    Dwarf_Die *unit = NULL;
    while ((unit = dw.dwfl_module_nextcu(file->module, unit, &file->bias))) {
        Dwarf_Addr base, start, end;
        ptrdiff_t place = 0;
        while ((place = dw.dwarf_ranges(unit, place, &base, &start, &end)) > 0)
            if (start < end && !add(file, start, end, unit)) return;
    }
}

static int by_start(const void *one, const void *other) {
    const Dwarf_Addr a = ((const struct cdwfl_range *)one)->start, b = ((const struct cdwfl_range *)other)->start;
    return (a > b) - (a < b);
}

Dwarf_Die *cdwfl_unit(struct cdwfl_file *file, Dwarf_Addr address, Dwarf_Addr *place) {
    if (!file->has_ranges) {
        file->has_ranges = true;
        find_ranges(file);
        if (file->count > 0) qsort(file->ranges, file->count, sizeof *file->ranges, by_start);
    }
    *place = address - file->bias;
    size_t low = 0, high = file->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (file->ranges[middle].start <= *place) low = middle + 1; else high = middle;
    }
    // Ranges of functions that the linker dropped may overlap others; checking a few earlier ones is enough.
    for (size_t back = 0; low > 0 && back < 16; back++)
        if (*place < file->ranges[--low].end) return file->ranges[low].unit;
    return NULL;
}
