// SPDX-License-Identifier: Apache-2.0
/// The names of the executable's functions, from its symbol table (.symtab): dladdr knows only exported ones.
#ifndef CSYNTHESIS_EXECUTABLE_SYMBOLS_H
#define CSYNTHESIS_EXECUTABLE_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Whether the address is in the executable, and not in a shared object.
bool executable_contains(uintptr_t address);

/// Writes the name of the function that contains the address, cut to fit. False if there is none: a stripped executable has no table.
bool executable_symbol(uintptr_t address, char *name, size_t size);

#endif
