// SPDX-License-Identifier: Apache-2.0
// Sender and receiver of small datagrams for the benchmark, with as little work per datagram as possible, so that the path between them is
// measured.
#ifndef CDATAGRAMS_H
#define CDATAGRAMS_H

#include <netinet/in.h>
#include <stdint.h>

struct cdatagrams_sent {
    // Datagrams accepted by the kernel.
    uint64_t count;
    double seconds;
};

// A sender's stream.
struct cdatagrams_stream {
    struct sockaddr_in6 to;
    // Octets of payload.
    int size;
    // Sockets that send in turns.
    int flows;
    // Datagrams a second, over all flows; 0: as many as possible.
    double rate;
    double seconds;
};

// Sends datagrams, one a system call. Returns -1 with errno set if it cannot begin.
int cdatagrams_send(const struct cdatagrams_stream *stream, struct cdatagrams_sent *sent);

// Returns a socket at this port, on every address, with room for bursts; -1 with errno set.
int cdatagrams_listen(int port);

// Counts datagrams until none has come for `idle` seconds, or until `limit` seconds have passed.
uint64_t cdatagrams_count(int socket, double idle, double limit);

#endif
