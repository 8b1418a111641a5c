// Calls the functions that the shim interposes, receives the evidence itself, and prints each record.
//
//      confess calls            every interposed function once
//      confess repeated         one inet_ntoa in a loop
//      confess readings         texts that are read as IPv4 addresses, and some of them as IPv6 ones
//      confess starts           a program by every function that starts one, and one that is not there
//      confess sockets          connections to Unix sockets: with a path, twice, abstract, and to none
//      confess lost N           N lookups before the socket exists, and one after
//      confess flooded N        N lookups without reading, then all that can be read, and one more
//      confess NODE SERVICE     one lookup
//
// The socket's name is that in IPV6CHECK_EVIDENCE.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <spawn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static int listener;

static void listen_for_evidence(void) {
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    const char *path = getenv("IPV6CHECK_EVIDENCE");
    strncpy(name.sun_path, path, sizeof name.sun_path - 1);
    socklen_t size = sizeof name;
    if (*path == '@') {
        name.sun_path[0] = '\0';
        size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(path));
    }
    listener = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);
    if (bind(listener, (struct sockaddr *)&name, size) != 0) abort();
}

static void print_evidence(void) {
    char record[65536];
    for (ssize_t size; (size = recv(listener, record, sizeof record, 0)) >= 0;) printf("%.*s\n", (int)size, record);
}

static void look_up(const char *node, const char *service) {
    struct addrinfo *answer, hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_ADDRCONFIG};
    errno = ENOTTY;
    h_errno = 77;
    if (getaddrinfo(node, service, &hints, &answer) != 0) return;
    // The lookup of a name may leave anything there; a literal's leaves nothing.
    if (node[0] >= '0' && node[0] <= '9' && (errno != ENOTTY || h_errno != 77)) abort();
    freeaddrinfo(answer);
}

static void call_everything(void) {
    struct hostent host, *found;
    char buffer[1024];
    int error;
    struct in_addr address = {htonl(0xc633640b)};
    look_up("198.51.100.10", "80");
    gethostbyname("four.test");
    gethostbyname("nowhere.test");
    gethostbyname2("dual.test", AF_INET6);
    gethostbyname_r("four.test", &host, buffer, sizeof buffer, &found, &error);
    gethostbyname2_r("dual.test", AF_INET, &host, buffer, sizeof buffer, &found, &error);
    errno = ENOTTY;
    if (inet_addr("198.51.100.10") != htonl(0xc633640a)) abort();
    if (inet_aton("198.51.100.300", &address) != 0) abort();
    if (strcmp(inet_ntoa(address), "198.51.100.11") != 0) abort();
    if (errno != ENOTTY) abort();
}

/// Reads texts as IPv4 addresses: of the first two, which are IPv6 ones, the second is then read as such.
static void read_texts(void) {
    static const char *const texts[] = {"2e00::1", "2e00::2", "a:b", "198.51.100.1"};
    struct in6_addr address;
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 4; i++) inet_pton(AF_INET, texts[i], &address);
        if (inet_pton(AF_INET6, "2e00::2", &address) != 1 || inet_pton(AF_INET6, "2e00::3", &address) != 1) abort();
        if (inet_aton("2e00::4", (struct in_addr *)&address) != 0 || inet_pton(AF_INET6, "2e00::4", &address) != 1) abort();
    }
    char shorter[INET_ADDRSTRLEN], text[20];
    errno = 0;
    for (int i = 0; i < 3; i++)
        if (inet_ntop(AF_INET6, "abcdefghijklmnop", shorter, sizeof shorter) != NULL || errno != ENOSPC) abort();
    if (inet_ntop(AF_INET6, "\x2e\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1", shorter, sizeof shorter) == NULL) abort();
    // Only so many are kept. A socket holds few records.
    for (int i = 0; i < 1000; i++) {
        snprintf(text, sizeof text, "2e00:1::%x", i);
        inet_pton(AF_INET, text, &address);
        print_evidence();
    }
}

extern char **environ;

/// Starts a program from a child, in the way with this number; must not return.
static void start(int way) {
    char *arguments[] = {"sh", "-c", "exit 7", NULL}, *nothing[] = {NULL};
    if (way == 0) execve("/bin/sh", arguments, environ);
    if (way == 1) execv("/bin/sh", arguments);
    if (way == 2) execvp("sh", arguments);
    if (way == 3) execvpe("sh", arguments, nothing);
    if (way == 4) execl("/bin/sh", "sh", "-c", "exit 7", (char *)NULL);
    if (way == 5) execlp("sh", "sh", "-c", "exit 7", (char *)NULL);
    if (way == 6) execle("/bin/sh", "sh", "-c", "exit $STATUS", (char *)NULL, (char *[]){"STATUS=7", NULL});
    if (way == 7 && chdir("/bin") == 0) execv("./sh", arguments);
    if (way == 8 && execv("/nonexistent/sh", arguments) != 0 && errno == ENOENT) _exit(7);
    abort();
}

static void expect_seven(pid_t child) {
    int status;
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 7) abort();
}

static void start_every_way(void) {
    for (int way = 0; way <= 8; way++) {
        // Either kind of child has to be able to.
        pid_t child = way % 2 == 0 ? fork() : vfork();
        if (child == 0) start(way);
        expect_seven(child);
    }
    char *arguments[] = {"sh", "-c", "exit 7", NULL};
    pid_t child;
    if (posix_spawn(&child, "/bin/sh", NULL, NULL, arguments, environ) != 0) abort();
    expect_seven(child);
    if (posix_spawnp(&child, "sh", NULL, NULL, arguments, NULL) != 0) abort();
    expect_seven(child);
}

/// A socket that listens in an own folder, or is abstract.
static void connect_to(const char *name, bool is_there) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strlen(name);
    memcpy(address.sun_path, name, length);
    if (*name == '@') address.sun_path[0] = '\0';
    // Without a NUL at the end, which unix(7) allows.
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
    int server = socket(AF_UNIX, SOCK_STREAM, 0);
    if (is_there && (bind(server, (struct sockaddr *)&address, size) != 0 || listen(server, 8) != 0)) abort();
    for (int i = 0; i < 2; i++) {
        int client = socket(AF_UNIX, SOCK_STREAM, 0);
        errno = ENOTTY;
        bool is_connected = connect(client, (struct sockaddr *)&address, size) == 0;
        if (is_connected != is_there || errno != (is_there ? ENOTTY : ENOENT)) abort();
        close(client);
    }
    close(server);
    if (*name != '@') unlink(name);
}

static void connect_to_sockets(void) {
    char folder[] = "/tmp/confess-XXXXXX", path[64];
    if (mkdtemp(folder) == NULL) abort();
    snprintf(path, sizeof path, "%s/engine.sock", folder);
    connect_to(path, true);
    connect_to("@confess", true);
    connect_to("/nonexistent/engine.sock", false);
    rmdir(folder);
}

int main(int argc, char **argv) {
    int number = argc > 2 ? atoi(argv[2]) : 0;
    if (strcmp(argv[1], "lost") == 0) {
        for (int i = 0; i < number; i++) look_up("198.51.100.10", "80");
        listen_for_evidence();
        look_up("198.51.100.11", "80");
    } else if (strcmp(argv[1], "flooded") == 0) {
        listen_for_evidence();
        for (int i = 0; i < number; i++) look_up("198.51.100.10", "80");
        print_evidence();
        look_up("198.51.100.11", "80");
    } else if (strcmp(argv[1], "calls") == 0) {
        listen_for_evidence();
        call_everything();
    } else if (strcmp(argv[1], "readings") == 0) {
        listen_for_evidence();
        read_texts();
    } else if (strcmp(argv[1], "starts") == 0) {
        listen_for_evidence();
        start_every_way();
    } else if (strcmp(argv[1], "sockets") == 0) {
        listen_for_evidence();
        connect_to_sockets();
    } else if (strcmp(argv[1], "repeated") == 0) {
        listen_for_evidence();
        for (unsigned i = 0; i < 1000; i++) inet_ntoa((struct in_addr){htonl(0xc6336400 + i % 4)});
    } else {
        listen_for_evidence();
        look_up(argv[1], argv[2]);
    }
    print_evidence();
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
