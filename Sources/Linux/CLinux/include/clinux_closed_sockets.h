// SPDX-License-Identifier: Apache-2.0
// The kernel's messages about IPv4 sockets that the processes of this network namespace closed (sock_diag(7), SKNLGRP_INET_*_DESTROY).
#ifndef CLINUX_CLOSED_SOCKETS_H
#define CLINUX_CLOSED_SOCKETS_H

#include <stddef.h>
#include <stdint.h>

struct clinux_closed_socket {
    // Identifies the socket (SO_COOKIE).
    uint64_t cookie;
    // In host order; 0 for none.
    uint32_t address;
    uint16_t port;
    // IPPROTO_TCP or IPPROTO_UDP.
    uint8_t protocol;
};

// Opens a netlink socket for the messages of the current network namespace, even if this process enters another one later. It gets no messages
// about a socket that had a peer, that was bound to 127.0.0.0/8, or that has a port which the kernel chose: getaddrinfo has such a one for each
// comparison of addresses, and so have servers inside tests. Returns its descriptor, or -1 with errno set.
int clinux_watch_closed_sockets(void);

// Takes the messages that have arrived, `capacity` at most. Returns their number, or -1 with errno set: EAGAIN if there are none, ENOBUFS if the
// kernel had no room for some.
long clinux_take_closed_sockets(int netlink, struct clinux_closed_socket *taken, size_t capacity);

#endif
