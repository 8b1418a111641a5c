// SPDX-License-Identifier: Apache-2.0
/// Reading the state of an interpreter where its library has no function for it that is safe to call.
///
/// The kernel reads: where there is no memory there is an error, and not the program's end. So a version that keeps its state in
/// another way costs frames only, and so does a program that changed it.
#ifndef CSYNTHESIS_FRAMES_MEMORY_H
#define CSYNTHESIS_FRAMES_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/// The octets that were there, from the first on. Of a part that reaches into memory that is none, there may be fewer, or none.
size_t frames_read(uint64_t at, void *into, size_t size);

/// 0 where nothing can be read.
uint64_t frames_read_word(uint64_t at);
uint32_t frames_read_number(uint64_t at);

/// The size of a text that ends with NUL, without it; 0 where none is, or none that leaves room.
size_t frames_read_text(uint64_t at, char *text, size_t room);

#endif
