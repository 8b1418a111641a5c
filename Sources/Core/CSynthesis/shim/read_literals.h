// SPDX-License-Identifier: Apache-2.0
/// The IPv4 addresses that the process has read as text with inet_pton. libcurl reads the host of a URL this way, and asks getaddrinfo only
/// if that gives no address. So a connection to one of them is to a literal, and a connection to another address is to a name's.
#ifndef CSYNTHESIS_READ_LITERALS_H
#define CSYNTHESIS_READ_LITERALS_H

#include <netinet/in.h>
#include <stdbool.h>

/// Adds an address if there is still room. Takes no lock.
void read_literals_add(struct in_addr address);
bool read_literals_contain(struct in_addr address);

#endif
