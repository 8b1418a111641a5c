// SPDX-License-Identifier: Apache-2.0
#include "clinux_memory.h"

#include <malloc.h>

void clinux_limit_arenas(int count) {
    mallopt(M_ARENA_MAX, count);
}
