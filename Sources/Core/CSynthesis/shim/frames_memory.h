// SPDX-License-Identifier: Apache-2.0
/// Reads the state of an interpreter whose library has no function for it that is safe to call.
///
/// The kernel reads the memory: unmapped memory causes an error instead of a crash. So an interpreter version with another layout costs
/// only the frames, and so does a program that changed the state.
#ifndef CSYNTHESIS_FRAMES_MEMORY_H
#define CSYNTHESIS_FRAMES_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/// Reads octets, and returns their number. It is smaller, or 0, if a part of the range is not mapped.
size_t frames_read(uint64_t at, void *into, size_t size);

/// 0 if the memory cannot be read.
uint64_t frames_read_word(uint64_t at);
uint32_t frames_read_number(uint64_t at);

/// The length of a text that ends with NUL, without the NUL; 0 if there is none, or none that fits.
size_t frames_read_text(uint64_t at, char *text, size_t room);

#endif
