// SPDX-License-Identifier: Apache-2.0
/// The DNS servers of this machine: resolv.conf(5), as far as one query needs it.
#ifndef CSYNTHESIS_RESOLV_CONF_H
#define CSYNTHESIS_RESOLV_CONF_H

#include "../include/pref64.h"

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

/// As many servers as the libc's own resolver uses (MAXNS).
enum { RESOLV_CONF_SERVERS_MAX = 3 };

union server_address {
    struct sockaddr any;
    struct sockaddr_in in;
    struct sockaddr_in6 in6;
};

struct resolv_conf {
    size_t count;
    union server_address servers[RESOLV_CONF_SERVERS_MAX];
};

/// Reads /etc/resolv.conf. Without the file, or without a server in it, the server is 127.0.0.1.
struct resolv_conf resolv_conf_now(void);

/// Reads the prefixes from the runner's comments in the file: `# pref64 64:ff9b::/96`, one on each line, or `# pref64 none`. False if there
/// are no such comments.
bool resolv_conf_prefixes(struct pref64_list *prefixes);

#endif
