// SPDX-License-Identifier: Apache-2.0
// Sender and receiver of small datagrams for the benchmark: as little work a datagram as can be, so that what is between
// them is measured and not they.
#ifndef CDATAGRAMS_H
#define CDATAGRAMS_H

#include <netinet/in.h>
#include <stdint.h>

struct cdatagrams_sent {
    // Datagrams that the kernel took.
    uint64_t count;
    double seconds;
};

// What a sender is to do.
struct cdatagrams_stream {
    struct sockaddr_in6 to;
    // Octets of payload.
    int size;
    // Sockets that send in turns.
    int flows;
    // Datagrams a second, over all flows; 0: as fast as it goes.
    double rate;
    double seconds;
};

// Sends datagrams, one a system call. -1 with errno set where that cannot begin.
int cdatagrams_send(const struct cdatagrams_stream *stream, struct cdatagrams_sent *sent);

// A socket at this port, on every address, with room for bursts; -1 with errno set.
int cdatagrams_listen(int port);

// Counts what comes until nothing has come for `idle` seconds, or until `limit` seconds have gone.
uint64_t cdatagrams_count(int socket, double idle, double limit);

#endif
