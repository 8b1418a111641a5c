// SPDX-License-Identifier: Apache-2.0
// Listening TCP sockets of this network namespace.
#ifndef CLINUX_LISTENERS_H
#define CLINUX_LISTENERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clinux_socket.h"

struct clinux_listener {
    struct clinux_address address;
    bool is_ipv6_only;
    // Identifies the socket.
    uint64_t inode;
};

// Opens a netlink socket for queries about the current network namespace, even if this process enters another one later. Returns its
// descriptor, or -1 with errno set.
int clinux_open_socket_diagnosis(void);

// Finds at most `capacity` listening sockets. Returns their number, or -1 with errno set.
long clinux_find_listeners(int netlink, struct clinux_listener *found, size_t capacity);

#endif
