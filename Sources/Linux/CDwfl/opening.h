// SPDX-License-Identifier: Apache-2.0
// Opens files that an untrusted map names, and no others.
#ifndef CDWFL_OPENING_H
#define CDWFL_OPENING_H

#include "functions.h"

// A descriptor of a regular file, for reading; -1 if the path is not absolute, or names no regular file that can be opened.
int cdwfl_open_regular(const char *path);

// For Dwfl_Callbacks: finds no separate debug information.
int cdwfl_find_nothing(
    Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base, const char *file, const char *link, GElf_Word crc,
    char **path);

#endif
