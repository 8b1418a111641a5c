// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CDatagrams.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { batch = 64, largest = 2048, most_flows = 64 };

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void close_all(const int *sockets, int count) {
    for (int i = 0; i < count; i++) close(sockets[i]);
}

static int connect_all(const struct cdatagrams_stream *stream, int *sockets) {
    for (int i = 0; i < stream->flows; i++) {
        sockets[i] = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        if (sockets[i] >= 0 && connect(sockets[i], (const struct sockaddr *)&stream->to, sizeof stream->to) == 0) continue;
        const int error = errno;
        close_all(sockets, sockets[i] < 0 ? i : i + 1);
        errno = error;
        return -1;
    }
    return 0;
}

int cdatagrams_send(const struct cdatagrams_stream *stream, struct cdatagrams_sent *sent) {
    static const char payload[largest];
    int sockets[most_flows];
    if (stream->size > largest || stream->flows < 1 || stream->flows > most_flows) {
        errno = EINVAL;
        return -1;
    }
    if (connect_all(stream, sockets) < 0) return -1;
    const double start = now();
    uint64_t tried = 0, count = 0;
    double elapsed;
    while ((elapsed = now() - start) < stream->seconds) {
        if (stream->rate > 0 && (double)tried >= elapsed * stream->rate) {
            // So short that, at the benchmark's rates, the burst after it fits into the queues of the path.
            const struct timespec pause = {.tv_nsec = 50000};
            nanosleep(&pause, NULL);
            continue;
        }
        const int flow = sockets[tried++ % (uint64_t)stream->flows];
        if (send(flow, payload, (size_t)stream->size, 0) >= 0) count++;
    }
    close_all(sockets, stream->flows);
    *sent = (struct cdatagrams_sent){.count = count, .seconds = elapsed};
    return 0;
}

int cdatagrams_listen(int port) {
    const int socket_ = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (socket_ < 0) return -1;
    const int room = 4 << 20;
    // Beyond the machine's limit if allowed; otherwise up to it.
    if (setsockopt(socket_, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof room) < 0)
        setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
    const struct sockaddr_in6 address = {
        .sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port), .sin6_addr = IN6ADDR_ANY_INIT};
    if (bind(socket_, (const struct sockaddr *)&address, sizeof address) == 0) return socket_;
    const int error = errno;
    close(socket_);
    errno = error;
    return -1;
}

uint64_t cdatagrams_count(int socket_, double idle, double limit) {
    static char space[batch][largest];
    struct iovec vectors[batch];
    struct mmsghdr messages[batch];
    memset(messages, 0, sizeof messages);
    for (int i = 0; i < batch; i++) {
        vectors[i] = (struct iovec){.iov_base = space[i], .iov_len = largest};
        messages[i].msg_hdr = (struct msghdr){.msg_iov = &vectors[i], .msg_iovlen = 1};
    }
    const double end = now() + limit;
    uint64_t count = 0;
    while (now() < end) {
        struct pollfd source = {.fd = socket_, .events = POLLIN};
        // The sender may start later, so the idle time counts from the first datagram on.
        const double timeout = count > 0 ? idle : end - now();
        if (poll(&source, 1, (int)(timeout * 1000)) == 0 && count > 0) break;
        int received;
        while ((received = recvmmsg(socket_, messages, batch, MSG_DONTWAIT, NULL)) > 0) count += (uint64_t)received;
    }
    return count;
}
