// SPDX-License-Identifier: Apache-2.0
/// Marks a function that replaces the libc's for the program; everything else in the library is hidden.
#ifndef CSYNTHESIS_INTERPOSE_H
#define CSYNTHESIS_INTERPOSE_H

#define INTERPOSED __attribute__((visibility("default")))

#endif
