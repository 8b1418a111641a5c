// SPDX-License-Identifier: Apache-2.0
/// Whether the machine has a route.
#ifndef CSYNTHESIS_ROUTE_H
#define CSYNTHESIS_ROUTE_H

#include <netinet/in.h>
#include <stdbool.h>

/// Whether the kernel says that it has no route to the address: a connection would fail at once. False where it does not say.
///
/// It is asked by netlink, and not by connecting a socket: that would stand in a trace of the client's calls.
bool route_is_missing(struct in_addr address);

#endif
