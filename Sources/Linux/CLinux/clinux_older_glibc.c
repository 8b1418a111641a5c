// SPDX-License-Identifier: Apache-2.0
// Definitions of functions that would otherwise require a C library newer than 2.34, although older ones have them too. They are
// hidden: they replace the C library's in all code that is linked into the executable, and nowhere else. scripts/package checks
// which versions are required in the end.
#define _GNU_SOURCE
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

#define HIDDEN __attribute__((visibility("hidden")))

#ifdef __GLIBC__

// Versions before 2.35 set errno as well. Swift's standard library needs them.
#if defined __x86_64__
#define FIRST "GLIBC_2.2.5"
#elif defined __aarch64__
#define FIRST "GLIBC_2.17"
#endif

#ifdef FIRST
double clinux_older_hypot(double x, double y);
float clinux_older_hypotf(float x, float y);
__asm__(".symver clinux_older_hypot, hypot@" FIRST);
__asm__(".symver clinux_older_hypotf, hypotf@" FIRST);

HIDDEN double hypot(double x, double y) { return clinux_older_hypot(x, y); }
HIDDEN float hypotf(float x, float y) { return clinux_older_hypotf(x, y); }
#endif

// Both are new in 2.36. The static library of expat needs the first, for the salt of its hash tables; that of libstdc++ the second.
HIDDEN void arc4random_buf(void *octets, size_t count) {
    unsigned char *next = octets;
    while (count > 0) {
        const ssize_t got = getrandom(next, count, 0);
        // Interrupted: the kernel has no other reason to refuse.
        if (got < 0) continue;
        next += got;
        count -= (size_t)got;
    }
}

HIDDEN uint32_t arc4random(void) {
    uint32_t number;
    arc4random_buf(&number, sizeof number);
    return number;
}

#endif
