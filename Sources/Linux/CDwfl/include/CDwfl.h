// SPDX-License-Identifier: Apache-2.0
// libdw of elfutils, loaded on demand: if it is not installed, reports show no source lines.
//
// There are two kinds of handles, independent of each other: a process (its memory map, as in /proc/PID/maps) unwinds stacks to code
// locations, and a file describes an address in it. Addresses are those of the file itself (the argument of `addr2line -e FILE`).
// All input is untrusted, and libdw may crash on it: call these functions only in a process of its own. One thread at a time.
#ifndef CDWFL_H
#define CDWFL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Loads libdw; to be called before all other functions except the demanglers. Null if it succeeds, otherwise the reason for the failure.
const char *cdwfl_load(void);

struct cdwfl_process;
// Takes the text of /proc/PID/maps; null if it is not valid.
struct cdwfl_process *cdwfl_process_open(const char *maps, size_t length);
void cdwfl_process_close(struct cdwfl_process *process);

struct cdwfl_stack {
    // In DWARF's order: 17 on x86-64 (the last is rip), 33 on AArch64 (x0 to x30, sp, pc).
    const uint64_t *registers;
    size_t register_count;
    // A copy of the memory from the stack pointer upwards: its address in the process, and `length` octets.
    uint64_t address;
    const uint8_t *octets;
    size_t length;
};

struct cdwfl_place {
    // The path of the mapped file; valid until the process is closed. Null if no file is mapped there.
    const char *module;
    // An address inside the call instruction (return address - 1), in the innermost frame the program counter. As in the file; if `module`
    // is null, as in the process.
    uint64_t address;
};

// Returns the number of locations, at most `room`; the innermost comes first.
size_t cdwfl_unwind(
    struct cdwfl_process *process, const struct cdwfl_stack *stack, struct cdwfl_place *places, size_t room);

// The location of the call that returns to an address.
struct cdwfl_place cdwfl_locate(struct cdwfl_process *process, uint64_t return_address);

struct cdwfl_file;
// Null if libdw cannot read the file. Without `has_lines` only its own symbols are read: debug information is large, and often compressed.
struct cdwfl_file *cdwfl_file_open(const char *path, bool has_lines);
void cdwfl_file_close(struct cdwfl_file *file);

// The address of the file's first octet: 0, except for executables that are linked for a fixed address.
uint64_t cdwfl_file_base(const struct cdwfl_file *file);
// Points `octets` to the build ID, valid until the file is closed, and returns its length; 0 if there is none.
size_t cdwfl_file_build_id(struct cdwfl_file *file, const uint8_t **octets);

struct cdwfl_line {
    // The name in debug information, or, if `is_symbol`, a symbol, which may be mangled; null if neither is known.
    const char *function;
    bool is_symbol;
    // Null if it is not known; relative to `folder` (which may be null) if it is not absolute.
    const char *file;
    const char *folder;
    // From 1; 0 if it is not known.
    int line;
};

// Describes an address of the file, and returns the number of lines: at least one (with nothing known), at most `room`, which is not 0.
// The innermost inlined function comes first, then those that it was inlined into. The strings are valid until the file is closed.
size_t cdwfl_describe(struct cdwfl_file *file, uint64_t address, struct cdwfl_line *lines, size_t room);

struct cdwfl_source {
    // Relative to `folder` (which may be null) if it is not absolute.
    const char *file;
    const char *folder;
};

// Returns the number of source files that debug information names, at most `room`, possibly with duplicates. The strings are valid until
// the file is closed.
size_t cdwfl_sources(struct cdwfl_file *file, struct cdwfl_source *sources, size_t room);

// Demangles a C++ symbol; the result must be freed. Null if it is no such symbol.
char *cdwfl_demangle(const char *symbol);

// From Swift's runtime, which is in each Swift program: demangles a Swift symbol; the result must be freed. Null if it is no such symbol.
char *swift_demangle(const char *symbol, size_t length, char *buffer, size_t *size, uint32_t flags);

#endif
