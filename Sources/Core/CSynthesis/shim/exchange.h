// SPDX-License-Identifier: Apache-2.0
/// Putting an IPv6 socket in the place of an IPv4 one, under the same descriptor.
#ifndef CSYNTHESIS_EXCHANGE_H
#define CSYNTHESIS_EXCHANGE_H

#include <netinet/in.h>
#include <stdbool.h>

/// Whether the descriptor is a socket that can be exchanged: TCP over IPv4, non-blocking, and neither bound nor connected.
bool exchange_is_possible(int descriptor);

/// Connects an IPv6 socket to the address, and puts it in the place of the descriptor's.
///
/// `connect`'s result, with errno: 0, or -1 with EINPROGRESS. With anything else the descriptor is as it was.
///
/// What goes along: whether the descriptor is closed on exec, the file's status flags, and the options that are listed in exchange.c.
/// What does not: an epoll that watched the old socket, descriptors that were made of it by dup or fork, and what is bound to the
/// protocol IP. getsockname and getpeername tell of IPv6 from then on.
int exchange_and_connect(int descriptor, const struct sockaddr_in6 *address);

#endif
