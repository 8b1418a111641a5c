// A program that has the symbols of an interpreter, Perl or PHP (-DPHP), and whose state is none.
//
//      pretend STATE
//
// It connects a datagram socket with the state in each of some shapes, and prints the shape's name when it is through.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#define EXPORTED __attribute__((visibility("default")))

static uint64_t state[4096];
static void *context;

#ifdef PHP
EXPORTED uint64_t executor_globals[256];
EXPORTED const char *zend_get_executed_filename(void) { return "/made/up.php"; }
EXPORTED void *zend_get_executed_filename_ex(void) { return context; }
EXPORTED uint32_t zend_get_executed_lineno(void) { return 0; }
#else
EXPORTED const uint8_t PL_revision = 5, PL_version = VERSION;
EXPORTED int PL_thr_key;
EXPORTED void Perl_pp_nextstate(void) {}
EXPORTED void Perl_pp_dbstate(void) {}
EXPORTED void *Perl_get_context(void) { return context; }
#endif

static void fill(uint64_t word) {
    for (size_t i = 0; i < sizeof state / sizeof *state; i++) state[i] = word;
}

static void call(void) {
    static uint16_t port = 1;
#ifdef PHP
    memcpy(executor_globals, state, sizeof executor_globals);
#endif
    // Another far end each time: of a call that was made before, nothing is told.
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port++), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int udp = socket(AF_INET, SOCK_DGRAM, 0);
    connect(udp, (struct sockaddr *)&address, sizeof address);
    close(udp);
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    context = state;
    const char *shape = argv[1];
    if (strcmp(shape, "nowhere") == 0) context = (void *)8;
    if (strcmp(shape, "ones") == 0) fill(UINT64_MAX);
    // All that is followed leads to the beginning again.
    if (strcmp(shape, "circle") == 0) fill((uintptr_t)state);
    if (strcmp(shape, "edge") == 0) {
        // Text, and structures, up to the end of what is mapped.
        char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        munmap(pages + 4096, 4096);
        memset(pages, 'a', 4096);
        fill((uintptr_t)pages + 4088);
    }
#ifndef PHP
    if (strcmp(shape, "statement") == 0) {
        // A statement it is, in a file whose name has no end, and as deep as a number can say.
        fill((uintptr_t)state);
        static char name[8192];
        memset(name, 'a', sizeof name);
        state[2] = (uintptr_t)Perl_pp_nextstate;
        state[6] = (uintptr_t)name;
        state[4] = INT32_MAX;
    }
    if (strcmp(shape, "name") == 0) {
        // Contexts of subs whose names have line feeds, and say that they are longer than memory.
        fill((uintptr_t)state);
        state[2] = (uintptr_t)Perl_pp_nextstate;
        state[6] = (uintptr_t) "a\nb\t9\tc";
        state[4] = (uint64_t)7 << 32 | 500;
        static uint64_t contexts[13 * 501];
        for (size_t i = 0; i < 501; i++) {
            contexts[13 * i] = 9;
            contexts[13 * i + 2] = (uintptr_t)state;
            contexts[13 * i + 9] = (uintptr_t)state;
        }
        state[1] = (uintptr_t)contexts;
    }
#endif
    call();
    call();
    puts(shape);
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
