// Leaves a lookup that takes too long, and then looks up a literal.
//
//      leave jump NODE LITERAL        siglongjmp out of a signal handler, as clients with a time-out of their own do
//      leave cancel NODE LITERAL      pthread_cancel, from another thread
//
// Prints the address that the literal got.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netdb.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

static sigjmp_buf way_out;

static void leave(int signal) {
    (void)signal;
    siglongjmp(way_out, 1);
}

static void *look_up(void *node) {
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *answer;
    char text[64];
    if (getaddrinfo(node, "80", &hints, &answer) != 0) return NULL;
    getnameinfo(answer->ai_addr, answer->ai_addrlen, text, sizeof text, NULL, 0, NI_NUMERICHOST);
    freeaddrinfo(answer);
    puts(text);
    return NULL;
}

/// From further down the stack than the call that was left.
static void look_up_deeper(char *node, int depth) {
    volatile char used[512];
    memset((char *)used, depth, sizeof used);
    if (depth > 0) {
        look_up_deeper(node, depth - 1);
    } else {
        look_up(node);
    }
    used[0] = 0;
}

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    if (strcmp(argv[1], "jump") == 0) {
        const struct itimerval soon = {.it_value.tv_usec = 50000};
        signal(SIGALRM, leave);
        if (sigsetjmp(way_out, 1) == 0) {
            setitimer(ITIMER_REAL, &soon, NULL);
            look_up(argv[2]);
            puts("not left");
        }
        look_up(argv[3]);
        look_up_deeper(argv[3], 50);
    } else {
        pthread_t thread;
        void *result;
        if (pthread_create(&thread, NULL, look_up, argv[2]) != 0) abort();
        pthread_cancel(thread);
        pthread_join(thread, &result);
        if (result != PTHREAD_CANCELED) puts("not cancelled");
        look_up(argv[3]);
    }
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
