// SPDX-License-Identifier: Apache-2.0
/// Checks whether the machine has a route.
#ifndef CSYNTHESIS_ROUTE_H
#define CSYNTHESIS_ROUTE_H

#include <netinet/in.h>
#include <stdbool.h>

/// Whether the kernel has no route to the address: a connection would fail at once. False if that is unknown.
///
/// By netlink, and not by connecting a socket, which would be in a trace of the client's calls.
bool route_is_missing(struct in_addr address);

#endif
