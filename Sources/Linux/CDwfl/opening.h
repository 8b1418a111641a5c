// SPDX-License-Identifier: Apache-2.0
// Opening what a stranger's map names.
#ifndef CDWFL_OPENING_H
#define CDWFL_OPENING_H

// A descriptor of a regular file, for reading; -1 where the path is none.
int cdwfl_open_regular(const char *path);

#endif
