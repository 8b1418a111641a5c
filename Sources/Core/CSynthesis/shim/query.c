// SPDX-License-Identifier: Apache-2.0
// The client's side of one DNS exchange. Any host that can send us packets may send an answer before the server does. It has to guess the
// id (16 random bits), the source port (the kernel's random choice, on a connected socket that accepts packets only from the server) and
// the case of the letters (12 random bits). Datagrams that do not match are dropped, up to a limit.
#define _GNU_SOURCE
#include "query.h"
#include "real.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    /// The number of datagrams that one exchange ignores because they are no answers.
    STRAY_MAX = 32,
};

int64_t query_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/// Waits for an event on the socket; false at the deadline.
static bool wait_for(int descriptor, short events, int64_t deadline) {
    for (;;) {
        int64_t left = deadline - query_now();
        if (left <= 0) return false;
        struct pollfd event = {.fd = descriptor, .events = events};
        int ready = poll(&event, 1, (int)left);
        if (ready > 0) return true;
        if (ready < 0 && errno != EINTR) return false;
    }
}

/// A socket connected to the server, or about to be; -1 if that is impossible.
static int open_to(const union server_address *server, int type) {
    int descriptor = real_socket()->socket(server->any.sa_family, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor < 0) return -1;
    socklen_t size = server->any.sa_family == AF_INET ? sizeof server->in : sizeof server->in6;
    // Not by our own, which is the client's.
    if (real_socket()->connect(descriptor, &server->any, size) == 0 || errno == EINPROGRESS) return descriptor;
    close(descriptor);
    return -1;
}

static enum ipv4only_reply exchange_datagrams(
    int descriptor, const uint8_t *query, int64_t deadline, bool exact, struct query_workspace *workspace
) {
    if (send(descriptor, query, IPV4ONLY_QUERY_SIZE, MSG_NOSIGNAL) != IPV4ONLY_QUERY_SIZE) return IPV4ONLY_FAILED;
    for (int stray = 0; stray < STRAY_MAX && wait_for(descriptor, POLLIN, deadline); stray++) {
        ssize_t size = recv(descriptor, workspace->message, sizeof workspace->message, 0);
        if (size < 0 && errno != EAGAIN && errno != EINTR) return IPV4ONLY_FAILED;
        if (size < 0) continue;
        enum ipv4only_reply reply = ipv4only_read(
            workspace->message, (size_t)size, query, exact, &workspace->answer
        );
        if (reply != IPV4ONLY_NOT_OURS) return reply;
    }
    return IPV4ONLY_FAILED;
}

/// Reads exactly `size` octets.
static bool receive_all(int descriptor, uint8_t *octets, size_t size, int64_t deadline) {
    while (size > 0) {
        if (!wait_for(descriptor, POLLIN, deadline)) return false;
        ssize_t received = recv(descriptor, octets, size, 0);
        if (received < 0 && (errno == EAGAIN || errno == EINTR)) continue;
        if (received <= 0) return false;
        octets += received;
        size -= (size_t)received;
    }
    return true;
}

/// RFC 1035 §4.2.2: each message follows its length in two octets.
static enum ipv4only_reply exchange_stream(
    int descriptor, const uint8_t *query, int64_t deadline, bool exact, struct query_workspace *workspace
) {
    uint8_t sent[2 + IPV4ONLY_QUERY_SIZE] = {0, IPV4ONLY_QUERY_SIZE};
    uint8_t length[2], *message = workspace->message;
    memcpy(sent + 2, query, IPV4ONLY_QUERY_SIZE);
    // A fresh connection accepts 33 octets at once.
    if (!wait_for(descriptor, POLLOUT, deadline)) return IPV4ONLY_FAILED;
    if (send(descriptor, sent, sizeof sent, MSG_NOSIGNAL) != sizeof sent) return IPV4ONLY_FAILED;
    if (!receive_all(descriptor, length, sizeof length, deadline)) return IPV4ONLY_FAILED;
    size_t size = (size_t)length[0] << 8 | length[1];
    if (size > MESSAGE_MAX || !receive_all(descriptor, message, size, deadline)) return IPV4ONLY_FAILED;
    return ipv4only_read(message, size, query, exact, &workspace->answer);
}

enum ipv4only_reply query_ask(
    const union server_address *server, int64_t deadline, bool exact, struct query_workspace *workspace
) {
    uint16_t random[2];
    uint8_t query[IPV4ONLY_QUERY_SIZE];
    if (getrandom(random, sizeof random, GRND_NONBLOCK) != sizeof random) return IPV4ONLY_FAILED;
    ipv4only_query(query, random[0], exact ? random[1] : 0);

    int descriptor = open_to(server, SOCK_DGRAM);
    if (descriptor < 0) return IPV4ONLY_FAILED;
    enum ipv4only_reply reply = exchange_datagrams(descriptor, query, deadline, exact, workspace);
    close(descriptor);
    if (reply != IPV4ONLY_TRUNCATED) return reply;

    descriptor = open_to(server, SOCK_STREAM);
    if (descriptor < 0) return IPV4ONLY_FAILED;
    reply = exchange_stream(descriptor, query, deadline, exact, workspace);
    close(descriptor);
    return reply == IPV4ONLY_ADDRESSES || reply == IPV4ONLY_NO_ADDRESS ? reply : IPV4ONLY_FAILED;
}
