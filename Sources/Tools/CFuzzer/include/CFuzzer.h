// SPDX-License-Identifier: Apache-2.0
#ifndef CFUZZER_H
#define CFUZZER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Runs the target with one input; returns 0.
typedef int (*cfuzzer_entry)(const uint8_t *octets, size_t count);

/// Whether this executable has been linked with libFuzzer (-sanitize=fuzzer).
bool cfuzzer_is_linked(void);

/// Runs libFuzzer, with its own command line; returns an exit code. libFuzzer must be linked.
int cfuzzer_run(int count, char **arguments, cfuzzer_entry entry);

/// Prints the reason and ends the process like a trap, so that libFuzzer keeps the input.
_Noreturn void cfuzzer_fail(const char *why);

#endif
