// SPDX-License-Identifier: Apache-2.0
/// Replaces an IPv4 socket by an IPv6 one under the same descriptor (dup3).
#ifndef CSYNTHESIS_REPLACEMENT_H
#define CSYNTHESIS_REPLACEMENT_H

#include <netinet/in.h>
#include <stdbool.h>

/// Whether the descriptor is a socket that can be replaced: TCP over IPv4, non-blocking, and neither bound nor connected.
bool socket_is_replaceable(int descriptor);

/// Connects a new IPv6 socket to the address, and makes the descriptor refer to it.
///
/// Returns 0, or -1 with errno. With EINPROGRESS the replaced socket is connecting; with any other error, of connect or of making the
/// socket, the descriptor is unchanged.
///
/// Preserved: whether the descriptor is closed on exec, the file's status flags, and the options that are listed in replacement.c. Not
/// preserved: all other options, registrations with epoll, and copies of the descriptor by dup or fork, which remain the old socket.
/// Afterwards getsockname and getpeername return IPv6 addresses.
int replace_and_connect(int descriptor, const struct sockaddr_in6 *address);

#endif
