// SPDX-License-Identifier: Apache-2.0
/// Apple's URL loading: URLSession and CFNetwork synthesise an address for an IPv4 literal in a URL (since iOS 9). Foundation on Linux
/// leaves URLs to libcurl, which opens an IPv4 socket for a literal. Where the runner wants it (IPV6CHECK_URL_LOADING), such a
/// connection goes to the synthesised address, by an IPv6 socket under the same descriptor.
///
/// Never for others: who connects is libcurl, called by FoundationNetworking (caller.h), to an address that was read as text
/// (read_literals.h), to which there is no route (route.h). TCP alone: HTTP/3 is not there.
#ifndef CSYNTHESIS_URL_LOADING_H
#define CSYNTHESIS_URL_LOADING_H

#include <stdbool.h>
#include <sys/socket.h>

/// Makes the connection, where it is URL loading's: true, and what connect returns, with errno. False where it is none, or nothing could be
/// synthesised: the socket is as it was then, and so is errno.
///
/// To be called by `connect`, with the address that that returns to.
bool url_loading_connect(
    int descriptor, const struct sockaddr *address, socklen_t size, const void *return_address, int *result);

#endif
