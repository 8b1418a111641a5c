// SPDX-License-Identifier: Apache-2.0
// libdw of elfutils, found when it is needed: where it is not installed, calls have no lines.
//
// Two things that know nothing of one another: a process (its memory map, as /proc/PID/maps has it) unwinds stacks to places, and
// a file says what stands at a place in it. Places are addresses as the file itself has them (what `addr2line -e FILE` takes).
// Everything that is read is a stranger's: to be called in a process that may crash. One thread at a time.
#ifndef CDWFL_H
#define CDWFL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Null where libdw is there; else why it is not.
const char *cdwfl_load(void);

struct cdwfl_process;
// The text of /proc/PID/maps; null where it is not one.
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
    // The object's path; valid until the process is closed. Null where no file is mapped.
    const char *module;
    // Of the call, not of the return from it.
    uint64_t address;
};

// The number of places, the innermost first; at most `room`.
size_t cdwfl_unwind(
    struct cdwfl_process *process, const struct cdwfl_stack *stack, struct cdwfl_place *places, size_t room);

// Where the call stands that returns to an address.
struct cdwfl_place cdwfl_locate(struct cdwfl_process *process, uint64_t return_address);

struct cdwfl_file;
// Null where the file is none that libdw can read.
struct cdwfl_file *cdwfl_file_open(const char *path);
void cdwfl_file_close(struct cdwfl_file *file);

// The address at which the file's first octet is mapped: 0, but of executables that have a fixed place.
uint64_t cdwfl_file_base(const struct cdwfl_file *file);
// The length of the build id; 0 where there is none.
size_t cdwfl_file_build_id(struct cdwfl_file *file, const uint8_t **octets);

struct cdwfl_line {
    // As debug information names it, else a symbol with its mangling; null if neither is known.
    const char *function;
    bool is_symbol;
    // Null if it is not known; relative to `folder` (which may be null) if it is not absolute.
    const char *file;
    const char *folder;
    // From 1; 0 if it is not known.
    int line;
};

// What stands at an address: one line, and before it those of the functions that the compiler put into that one. The strings are
// valid until the file is closed.
size_t cdwfl_describe(struct cdwfl_file *file, uint64_t address, struct cdwfl_line *lines, size_t room);

struct cdwfl_source {
    // Relative to `folder` (which may be null) if it is not absolute.
    const char *file;
    const char *folder;
};

// The source files that debug information names, some of them more than once. The strings are valid until the file is closed.
size_t cdwfl_sources(struct cdwfl_file *file, struct cdwfl_source *sources, size_t room);

// A C++ symbol without its mangling, to be freed; null where it is no such symbol.
char *cdwfl_demangle(const char *symbol);

// Of Swift's runtime, which is in each Swift program: a Swift symbol without its mangling, to be freed; null where it is none.
char *swift_demangle(const char *symbol, size_t length, char *buffer, size_t *size, uint32_t flags);

#endif
