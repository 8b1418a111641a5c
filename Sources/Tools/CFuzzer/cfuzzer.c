// SPDX-License-Identifier: Apache-2.0
#include "CFuzzer.h"

#include <stdio.h>
#include <stdlib.h>

// Weak: an ordinary build has no libFuzzer, and can only replay inputs.
__attribute__((weak)) int LLVMFuzzerRunDriver(int *count, char ***arguments, cfuzzer_entry entry);

bool cfuzzer_is_linked(void) { return LLVMFuzzerRunDriver != NULL; }

int cfuzzer_run(int count, char **arguments, cfuzzer_entry entry) {
    return LLVMFuzzerRunDriver(&count, &arguments, entry);
}

void cfuzzer_fail(const char *why) {
    fprintf(stderr, "broken: %s\n", why);
    abort();
}
