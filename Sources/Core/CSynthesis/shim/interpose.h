// SPDX-License-Identifier: Apache-2.0
/// Marks a function as one that the program sees instead of its libc's; everything else in the library is hidden.
#ifndef CSYNTHESIS_INTERPOSE_H
#define CSYNTHESIS_INTERPOSE_H

#define INTERPOSED __attribute__((visibility("default")))

#endif
