// SPDX-License-Identifier: Apache-2.0
#ifndef CFUZZER_H
#define CFUZZER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Takes one input; what it returns is 0.
typedef int (*cfuzzer_entry)(const uint8_t *octets, size_t count);

/// Whether this executable has been linked with libFuzzer (-sanitize=fuzzer).
bool cfuzzer_is_linked(void);

/// Lets libFuzzer loose, with its own command line; an exit code comes back. libFuzzer must be linked.
int cfuzzer_run(int count, char **arguments, cfuzzer_entry entry);

/// Says why and ends the process as a trap does, so that libFuzzer keeps the input.
_Noreturn void cfuzzer_fail(const char *why);

#endif
