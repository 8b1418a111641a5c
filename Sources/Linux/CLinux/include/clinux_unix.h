// SPDX-License-Identifier: Apache-2.0
// Unix sockets that have a place in the file system, and who is at their other end.
#ifndef CLINUX_UNIX_H
#define CLINUX_UNIX_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

// SOCK_SEQPACKET, close-on-exec, blocking. ENAMETOOLONG: a path has 107 octets at most.
int clinux_unix_connect(const char *path);
int clinux_unix_accept(int listener);

struct clinux_peer {
    uid_t user;
    gid_t group;
    // 0 where it has no number here.
    pid_t process;
};

// SO_PEERCRED: as the peer was when it connected.
int clinux_unix_peer(int socket, struct clinux_peer *peer);
// Whether the peer's groups, the supplementary ones included (SO_PEERGROUPS), have this one among them.
bool clinux_unix_peer_has_group(int socket, gid_t group);

#endif
