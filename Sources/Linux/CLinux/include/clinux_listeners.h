// SPDX-License-Identifier: Apache-2.0
// TCP sockets that listen in this network namespace.
#ifndef CLINUX_LISTENERS_H
#define CLINUX_LISTENERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clinux_socket.h"

struct clinux_listener {
    struct clinux_address address;
    bool is_ipv6_only;
    // Tells it from every other socket.
    uint64_t inode;
};

// A netlink socket that is asked for those of the network namespace in which it was opened, whatever this process enters later. Returns
// its descriptor, or -1 with errno set.
int clinux_open_socket_diagnosis(void);

// Finds at most `capacity` of them. Returns their number, or -1 with errno set.
long clinux_find_listeners(int netlink, struct clinux_listener *found, size_t capacity);

#endif
