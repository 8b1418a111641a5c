// SPDX-License-Identifier: Apache-2.0
// Opens files that an untrusted map names.
#ifndef CDWFL_OPENING_H
#define CDWFL_OPENING_H

// A descriptor of a regular file, for reading; -1 if the path is not absolute, or names no regular file that can be opened.
int cdwfl_open_regular(const char *path);

#endif
