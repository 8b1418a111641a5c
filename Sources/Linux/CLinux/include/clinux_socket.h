// SPDX-License-Identifier: Apache-2.0
// Sockets without sockaddr: addresses are numbers, control messages are fields.
#ifndef CLINUX_SOCKET_H
#define CLINUX_SOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// An address with its port. IPv4 addresses are the low 32 bits of `low`.
struct clinux_address {
    uint64_t high;
    uint64_t low;
    uint32_t scope;
    uint16_t port;
    // 4, 6, or 0 for none.
    uint8_t family;
};

// Non-blocking, close-on-exec; `family` is 4 or 6, and 6 means IPv6 only.
int clinux_datagram_socket(int family);
int clinux_stream_socket(int family);

int clinux_bind(int descriptor, const struct clinux_address *address);
int clinux_connect(int descriptor, const struct clinux_address *address);
int clinux_accept(int descriptor, struct clinux_address *peer);
int clinux_local_address(int descriptor, struct clinux_address *address);
int clinux_peer_address(int descriptor, struct clinux_address *address);

// SO_REUSEADDR.
int clinux_reuse_address(int descriptor);
// IP_FREEBIND, for both families.
int clinux_bind_to_any_address(int descriptor);
// SO_LINGER with a timeout of 0.
int clinux_reset_when_closed(int descriptor);
// TCP_NODELAY.
int clinux_send_without_delay(int descriptor);
// SO_ERROR: the outcome of a non-blocking connect.
int clinux_take_error(int descriptor, int *error);
// Asks for the local address of every datagram (IP_PKTINFO or IPV6_RECVPKTINFO).
int clinux_report_local_address(int descriptor, int family);
// Sends IPv6 datagrams in fragments that fit every link (IPV6_MTU).
int clinux_fragment_to_minimum(int descriptor);

// Maximum number of datagrams per call.
enum { clinux_batch_limit = 32 };

struct clinux_datagram {
    uint8_t *data;
    // Octets at `data`: the buffer's size before receiving, the contents' afterwards and before sending.
    size_t length;
    // The sender or the destination.
    struct clinux_address peer;
    // The address to which it was sent, or from which to reply; with family 0 the kernel chooses. The port is not used.
    struct clinux_address local;
    // It was longer than the buffer.
    bool truncated;
};

// Receives one datagram and its sender; returns its length, or a negative number if there is none.
ssize_t clinux_receive_datagram(int descriptor, void *data, size_t length, struct clinux_address *sender);

// recvmmsg and sendmmsg for the first `count` datagrams (at most clinux_batch_limit); return the number received or sent.
int clinux_receive_datagrams(int descriptor, struct clinux_datagram *datagrams, unsigned count);
int clinux_send_datagrams(int descriptor, struct clinux_datagram *datagrams, unsigned count);

// One message of a Unix socket, with a descriptor (or -1). Without `wait`, EAGAIN if the call would block. A received descriptor is
// close-on-exec. `length` is the buffer's size, and then the message's length; 0 means that the other end is closed.
int clinux_send_message(int descriptor, const void *data, size_t length, int passed, bool wait);
int clinux_receive_message(int descriptor, void *data, size_t *length, int *passed, bool wait);

#endif
