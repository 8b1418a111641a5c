// SPDX-License-Identifier: Apache-2.0
/// Apple's URL loading: URLSession and CFNetwork synthesise an address for an IPv4 literal in a URL (since iOS 9). Foundation on Linux
/// leaves URLs to libcurl, which opens an IPv4 socket for a literal. If the runner enables it (IPV6CHECK_URL_LOADING), such a connection
/// goes to the synthesised address, by an IPv6 socket under the same descriptor.
///
/// Never for other connections: the caller is libcurl, called by FoundationNetworking (caller.h), the address was read as text
/// (read_literals.h), and there is no route to it (route.h). TCP alone: HTTP/3 does not exist there.
#ifndef CSYNTHESIS_URL_LOADING_H
#define CSYNTHESIS_URL_LOADING_H

#include <stdbool.h>
#include <sys/socket.h>

/// Makes the connection if it is URL loading's: returns true, and stores the result of connect, with errno. False if it is not, or nothing
/// could be synthesised: then the socket and errno are unchanged.
///
/// To be called by `connect`, with its own return address.
bool url_loading_connect(
    int descriptor, const struct sockaddr *address, socklen_t size, const void *return_address, int *result);

#endif
