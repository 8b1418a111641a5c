// SPDX-License-Identifier: Apache-2.0
/// The names of the executable's functions, of its symbol table (.symtab): dladdr knows those alone that are exported.
#ifndef CSYNTHESIS_EXECUTABLE_SYMBOLS_H
#define CSYNTHESIS_EXECUTABLE_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Whether the address is the executable's, and not a shared object's.
bool executable_contains(uintptr_t address);

/// Writes the name of the function that the address is in, cut to fit. False where there is none: a stripped executable has no table.
bool executable_symbol(uintptr_t address, char *name, size_t size);

#endif
