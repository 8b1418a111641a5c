// Stands for Foundation and libcurl: a program that has a URL loaded, by one or the other, and tells what became of the connection.
//
//      url_loading foundation|own|direct HOST PORT VARIANT
//
// - foundation: libFoundationNetworking.so calls libcurl.so, which connects. own: the program calls libcurl itself, beside Foundation. direct: it
//   connects itself.
// - VARIANT: plain; options: with some of them set; bound; blocking; exhausted: there is no other descriptor; unread: the address does not
//   come by inet_pton; watched: an epoll watches the socket from before.
//
// Prints what connect said, the peer and what it sent, and the evidence that was sent: IPV6CHECK_EVIDENCE is a path.
//
// Built with LIBCURL and FOUNDATION it is these libraries, and without, the program. With TOGETHER it is all three.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

struct load {
    const char *host;
    unsigned short port;
    const char *variant;
    int descriptor;
    int watch;
    int result;
    int error;
};

/// The load as another library performs it.
void libcurl_load(struct load *load);
/// The same, under a name like those of FoundationNetworking's C functions.
void CFURLSession_load(struct load *load);

#if defined(LIBCURL) || defined(TOGETHER) || !defined(FOUNDATION)
static inline int is(const struct load *load, const char *variant) { return strcmp(load->variant, variant) == 0; }

static void set(int descriptor, int level, int name, int value) {
    if (setsockopt(descriptor, level, name, &value, sizeof value) != 0) abort();
}

static void set_up(const struct load *load) {
    int descriptor = load->descriptor;
    set(descriptor, IPPROTO_TCP, TCP_NODELAY, 1);
    if (is(load, "options")) {
        set(descriptor, SOL_SOCKET, SO_KEEPALIVE, 1);
        set(descriptor, IPPROTO_TCP, TCP_KEEPIDLE, 33);
        set(descriptor, IPPROTO_TCP, TCP_USER_TIMEOUT, 4444);
        set(descriptor, IPPROTO_IP, IP_TOS, 0x10);
        fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    }
    if (is(load, "bound")) {
        struct sockaddr_in own = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
        if (bind(descriptor, (struct sockaddr *)&own, sizeof own) != 0) abort();
    }
    if (!is(load, "blocking")) fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
    if (is(load, "watched")) {
        struct epoll_event event = {.events = EPOLLIN};
        if (epoll_ctl(load->watch, EPOLL_CTL_ADD, descriptor, &event) != 0) abort();
    }
    if (is(load, "exhausted")) {
        struct rlimit limit = {(rlim_t)descriptor + 1, (rlim_t)descriptor + 1};
        if (setrlimit(RLIMIT_NOFILE, &limit) != 0) abort();
    }
}

/// As libcurl does it.
__attribute__((noinline)) static void load_by_socket(struct load *load) {
    struct sockaddr_in target = {.sin_family = AF_INET, .sin_port = htons(load->port)};
    if (is(load, "unread")) {
        unsigned octets[4];
        if (sscanf(load->host, "%u.%u.%u.%u", &octets[0], &octets[1], &octets[2], &octets[3]) != 4) abort();
        target.sin_addr.s_addr = htonl(octets[0] << 24 | octets[1] << 16 | octets[2] << 8 | octets[3]);
    } else if (inet_pton(AF_INET, load->host, &target.sin_addr) != 1) {
        abort();
    }
    load->descriptor = socket(AF_INET, SOCK_STREAM, IPPROTO_TCP);
    set_up(load);
    errno = ENOTTY;
    load->result = connect(load->descriptor, (struct sockaddr *)&target, sizeof target);
    load->error = errno;
}
#endif

#if defined(LIBCURL) || defined(TOGETHER)
void libcurl_load(struct load *load) {
    load_by_socket(load);
    // No tail call: the frame has to be there.
    __asm__ volatile("" ::: "memory");
}
#endif

#if defined(FOUNDATION) || defined(TOGETHER)
void CFURLSession_load(struct load *load) {
    libcurl_load(load);
    __asm__ volatile("" ::: "memory");
}
#endif

#if !defined(LIBCURL) && !defined(FOUNDATION)
static int get(int descriptor, int level, int name) {
    int value = -1;
    socklen_t size = sizeof value;
    getsockopt(descriptor, level, name, &value, &size);
    return value;
}

static void print_options(const struct load *load) {
    int descriptor = load->descriptor;
    printf(
        "nodelay=%d keepalive=%d idle=%d timeout=%d class=%#x cloexec=%d nonblocking=%d\n",
        get(descriptor, IPPROTO_TCP, TCP_NODELAY), get(descriptor, SOL_SOCKET, SO_KEEPALIVE),
        get(descriptor, IPPROTO_TCP, TCP_KEEPIDLE), get(descriptor, IPPROTO_TCP, TCP_USER_TIMEOUT),
        (unsigned)get(descriptor, IPPROTO_IPV6, IPV6_TCLASS), fcntl(descriptor, F_GETFD) & FD_CLOEXEC,
        (fcntl(descriptor, F_GETFL) & O_NONBLOCK) != 0);
}

static void print_peer(const struct load *load) {
    struct sockaddr_in6 peer = {0};
    socklen_t size = sizeof peer;
    char text[INET6_ADDRSTRLEN] = "none";
    struct pollfd event = {.fd = load->descriptor, .events = POLLOUT};
    poll(&event, 1, 10000);
    if (getpeername(load->descriptor, (struct sockaddr *)&peer, &size) == 0 && peer.sin6_family == AF_INET6)
        inet_ntop(AF_INET6, &peer.sin6_addr, text, sizeof text);
    printf("peer=%s\n", text);
}

static void print_greeting(const struct load *load) {
    char greeting[64] = "";
    struct pollfd event = {.fd = load->descriptor, .events = POLLIN};
    if (send(load->descriptor, "hello", 5, MSG_NOSIGNAL) == 5 && poll(&event, 1, 10000) == 1
        && recv(load->descriptor, greeting, sizeof greeting - 1, 0) > 0)
        printf("greeting=%s", greeting);
}

static int listen_for_evidence(void) {
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    const char *path = getenv("IPV6CHECK_EVIDENCE");
    int listener = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);
    if (path == NULL) return listener;
    strncpy(name.sun_path, path, sizeof name.sun_path - 1);
    if (bind(listener, (struct sockaddr *)&name, sizeof name) != 0) abort();
    return listener;
}

int main(int argc, char **argv) {
    if (argc != 5) return 2;
    struct load load = {.host = argv[2], .port = (unsigned short)atoi(argv[3]), .variant = argv[4]};
    int evidence = listen_for_evidence();
    load.watch = epoll_create1(0);
    if (strcmp(argv[1], "foundation") == 0) CFURLSession_load(&load);
    if (strcmp(argv[1], "own") == 0) libcurl_load(&load);
    if (strcmp(argv[1], "direct") == 0) load_by_socket(&load);
    printf("connect=%s\n", load.result == 0 ? "0" : strerrorname_np(load.error));
    print_peer(&load);
    if (is(&load, "options")) print_options(&load);
    print_greeting(&load);
    if (is(&load, "watched")) {
        struct epoll_event event;
        printf("watched=%d\n", epoll_wait(load.watch, &event, 1, 0));
    }
    char record[65536];
    for (ssize_t size; (size = recv(evidence, record, sizeof record, 0)) >= 0;) printf("%.*s\n", (int)size, record);
    return 0;
}
#endif
// SPDX-License-Identifier: Apache-2.0
