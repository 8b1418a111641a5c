// Calls an interposed function on a thread with a stack of 16 kB, the least that POSIX systems give.
//
//      narrow FUNCTION
//
// Prints the function's name once it has returned; those of the exec family are called by a child of the thread, whose
// program prints it.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static char *function;
static char *arguments[] = {"sh", "-c", "printf %s \"$CALLED\"", NULL};

static int is(const char *name) { return strcmp(function, name) == 0; }

static void start(void) {
    const char *path = "/bin/sh", *first = arguments[0], *second = arguments[1], *third = arguments[2];
    if (is("execve")) execve(path, arguments, environ);
    if (is("execv")) execv(path, arguments);
    if (is("execvp")) execvp("sh", arguments);
    if (is("execvpe")) execvpe("sh", arguments, environ);
    if (is("execl")) execl(path, first, second, third, (char *)NULL);
    if (is("execlp")) execlp("sh", first, second, third, (char *)NULL);
    if (is("execle")) execle(path, first, second, third, (char *)NULL, environ);
}

static void look_up(const char *node) {
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *answer;
    if (getaddrinfo(node, "80", &hints, &answer) != 0) abort();
    freeaddrinfo(answer);
}

static void call(void) {
    static char buffer[4096];
    struct hostent host, *found;
    struct in_addr address;
    int error;
    pid_t child = -1;
    if (is("getaddrinfo")) return look_up("198.51.100.10");
    if (is("freeaddrinfo")) return look_up("198.51.100.11");
    if (is("getaddrinfo-of-name")) return look_up("six.test");
    if (is("getnameinfo")) {
        const struct sockaddr_in6 loopback = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
        if (getnameinfo((const struct sockaddr *)&loopback, sizeof loopback, buffer, sizeof buffer, NULL, 0, NI_NUMERICHOST)) abort();
        return;
    }
    if (is("inet_aton") && inet_aton("198.51.100.10", &address)) return;
    if (is("inet_addr") && inet_addr("198.51.100.10") != INADDR_NONE) return;
    if (is("inet_pton") && inet_pton(AF_INET, "198.51.100.10", &address)) return;
    if (is("inet_ntop") && inet_ntop(AF_INET6, &in6addr_any, buffer, 2) == NULL) return;
    if (is("inet_ntoa") && inet_ntoa((struct in_addr){0})) return;
    if (is("gethostbyname") && gethostbyname("198.51.100.10")) return;
    if (is("gethostbyname2") && gethostbyname2("198.51.100.10", AF_INET)) return;
    if (is("gethostbyname_r") && !gethostbyname_r("198.51.100.10", &host, buffer, sizeof buffer, &found, &error)) return;
    if (is("gethostbyname2_r") &&
        !gethostbyname2_r("198.51.100.10", AF_INET, &host, buffer, sizeof buffer, &found, &error)) {
        return;
    }
    if (is("posix_spawn")) {
        if (posix_spawn(&child, "/bin/sh", NULL, NULL, arguments, environ) != 0) abort();
    } else if (is("posix_spawnp")) {
        if (posix_spawnp(&child, "sh", NULL, NULL, arguments, environ) != 0) abort();
    } else {
        child = fork();
        if (child == 0) {
            start();
            _exit(1);
        }
    }
    if (waitpid(child, &error, 0) != child || error != 0) abort();
    _exit(0);
}

static void *run(void *unused) {
    (void)unused;
    call();
    return NULL;
}

int main(int argc, char **argv) {
    pthread_attr_t attributes;
    pthread_t thread;
    if (argc != 2) return 2;
    function = argv[1];
    setenv("CALLED", function, 1);
    // The shell may be another libc's program.
    unsetenv("LD_PRELOAD");
    pthread_attr_init(&attributes);
    if (pthread_attr_setstacksize(&attributes, 16384) != 0) return 3;
    if (pthread_create(&thread, &attributes, run, NULL) != 0) return 4;
    pthread_join(thread, NULL);
    fputs(function, stdout);
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
