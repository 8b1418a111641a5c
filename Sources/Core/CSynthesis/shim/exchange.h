// SPDX-License-Identifier: Apache-2.0
/// Puts an IPv6 socket in the place of an IPv4 one, under the same descriptor.
#ifndef CSYNTHESIS_EXCHANGE_H
#define CSYNTHESIS_EXCHANGE_H

#include <netinet/in.h>
#include <stdbool.h>

/// Whether the descriptor is a socket that can be exchanged: TCP over IPv4, non-blocking, and neither bound nor connected.
bool exchange_is_possible(int descriptor);

/// Connects an IPv6 socket to the address, and puts it in the place of the descriptor's.
///
/// Returns the result of `connect`, with errno: 0, or -1 with EINPROGRESS. With any other error the descriptor is unchanged.
///
/// Preserved: whether the descriptor is closed on exec, the file's status flags, and the options that are listed in exchange.c. Not
/// preserved: an epoll that watched the old socket, copies of the descriptor by dup or fork, and other settings of the protocol IP.
/// Afterwards getsockname and getpeername return IPv6 addresses.
int exchange_and_connect(int descriptor, const struct sockaddr_in6 *address);

#endif
