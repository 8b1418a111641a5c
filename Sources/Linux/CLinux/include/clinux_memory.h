// SPDX-License-Identifier: Apache-2.0
// Memory allocation.
#ifndef CLINUX_MEMORY_H
#define CLINUX_MEMORY_H

// mallopt(M_ARENA_MAX).
void clinux_limit_arenas(int count);

#endif
