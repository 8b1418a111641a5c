// SPDX-License-Identifier: Apache-2.0
/// The IPv4 addresses that the process has read as text, by inet_pton: libcurl reads the host of a URL so, and where that gives no
/// address, asks getaddrinfo. So a connection to one of them is to a literal, and one to another address is to a name's.
#ifndef CSYNTHESIS_READ_LITERALS_H
#define CSYNTHESIS_READ_LITERALS_H

#include <netinet/in.h>
#include <stdbool.h>

/// Remembers it, if there is room still. Takes no lock.
void read_literals_add(struct in_addr address);
bool read_literals_contain(struct in_addr address);

#endif
