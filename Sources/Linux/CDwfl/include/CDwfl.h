// SPDX-License-Identifier: Apache-2.0
// libdw of elfutils, loaded on demand: if it is not installed, calls have no lines.
//
// There are two independent objects: a process (its memory map, as in /proc/PID/maps) unwinds stacks to places, and a file describes
// a place in it. Places are addresses as in the file itself (the argument of `addr2line -e FILE`).
// All input is untrusted: to be called in a process that may crash. One thread at a time.
#ifndef CDWFL_H
#define CDWFL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Null if libdw is available; otherwise the reason why it is not.
const char *cdwfl_load(void);

struct cdwfl_process;
// Takes the text of /proc/PID/maps; null if it is not valid.
struct cdwfl_process *cdwfl_process_open(const char *maps, size_t length);
void cdwfl_process_close(struct cdwfl_process *process);

struct cdwfl_stack {
    // In DWARF's order: 17 on x86-64 (the last is rip), 33 on AArch64 (x0 to x30, sp, pc).
    const uint64_t *registers;
    size_t register_count;
    // Memory from the stack pointer upwards.
    uint64_t address;
    const uint8_t *octets;
    size_t length;
};

struct cdwfl_place {
    // The object's path; valid until the process is closed. Null if no file is mapped there.
    const char *module;
    // The address of the call, not of the return from it.
    uint64_t address;
};

// Returns the number of places, at most `room`; the innermost comes first.
size_t cdwfl_unwind(
    struct cdwfl_process *process, const struct cdwfl_stack *stack, struct cdwfl_place *places, size_t room);

// The place of the call that returns to an address.
struct cdwfl_place cdwfl_locate(struct cdwfl_process *process, uint64_t return_address);

struct cdwfl_file;
// Null if libdw cannot read the file.
struct cdwfl_file *cdwfl_file_open(const char *path);
void cdwfl_file_close(struct cdwfl_file *file);

// The address of the file's first octet: 0, except for executables that are linked for a fixed address.
uint64_t cdwfl_file_base(const struct cdwfl_file *file);
// The length of the build id; 0 if there is none.
size_t cdwfl_file_build_id(struct cdwfl_file *file, const uint8_t **octets);

struct cdwfl_line {
    // The name in debug information, otherwise a mangled symbol; null if neither is known.
    const char *function;
    bool is_symbol;
    // Null if it is not known; relative to `folder` (which may be null) if it is not absolute.
    const char *file;
    const char *folder;
    // From 1; 0 if it is not known.
    int line;
};

// Describes an address: the innermost inlined function first, then those that it was inlined into. The strings are valid until the
// file is closed.
size_t cdwfl_describe(struct cdwfl_file *file, uint64_t address, struct cdwfl_line *lines, size_t room);

struct cdwfl_source {
    // Relative to `folder` (which may be null) if it is not absolute.
    const char *file;
    const char *folder;
};

// The source files that debug information names, possibly with duplicates. The strings are valid until the file is closed.
size_t cdwfl_sources(struct cdwfl_file *file, struct cdwfl_source *sources, size_t room);

// Demangles a C++ symbol; the result must be freed. Null if it is no such symbol.
char *cdwfl_demangle(const char *symbol);

// From Swift's runtime, which is in each Swift program: demangles a Swift symbol; the result must be freed. Null if it is no such symbol.
char *swift_demangle(const char *symbol, size_t length, char *buffer, size_t *size, uint32_t flags);

#endif
