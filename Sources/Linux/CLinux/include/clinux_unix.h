// SPDX-License-Identifier: Apache-2.0
// Unix sockets with a name in the file system, and their peers.
#ifndef CLINUX_UNIX_H
#define CLINUX_UNIX_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

// SOCK_SEQPACKET, close-on-exec, blocking. ENAMETOOLONG: the path is longer than 107 octets.
int clinux_unix_connect(const char *path);
int clinux_unix_accept(int listener);

struct clinux_peer {
    uid_t user;
    gid_t group;
    // 0 if it has no number here.
    pid_t process;
};

// SO_PEERCRED: the peer at the time when it connected.
int clinux_unix_peer(int socket, struct clinux_peer *peer);
// Whether the peer is in the group, supplementary groups included (SO_PEERGROUPS).
bool clinux_unix_peer_has_group(int socket, gid_t group);

#endif
