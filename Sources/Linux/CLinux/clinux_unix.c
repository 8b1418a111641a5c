// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "clinux_unix.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int make_address(const char *path, struct sockaddr_un *address) {
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    if (strlen(path) >= sizeof address->sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(address->sun_path, path);
    return 0;
}

static int closing(int descriptor) {
    const int error = errno;
    close(descriptor);
    errno = error;
    return -1;
}

int clinux_unix_connect(const char *path) {
    struct sockaddr_un address;
    if (make_address(path, &address) != 0) return -1;
    const int descriptor = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return -1;
    if (connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) return closing(descriptor);
    return descriptor;
}

int clinux_unix_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_CLOEXEC); }

int clinux_unix_peer(int descriptor, struct clinux_peer *peer) {
    struct ucred credentials;
    socklen_t size = sizeof credentials;
    if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) return -1;
    peer->user = credentials.uid;
    peer->group = credentials.gid;
    peer->process = credentials.pid;
    return 0;
}

bool clinux_unix_peer_has_group(int descriptor, gid_t group) {
    struct clinux_peer peer;
    if (clinux_unix_peer(descriptor, &peer) != 0) return false;
    if (peer.group == group) return true;
    // A process's maximum (NGROUPS_MAX) would take 256 KB; for a user in more groups than these, membership of the rest is not found.
    gid_t groups[4096];
    socklen_t size = sizeof groups;
    if (getsockopt(descriptor, SOL_SOCKET, SO_PEERGROUPS, groups, &size) != 0) return false;
    for (socklen_t i = 0; i < size / sizeof *groups; i++) {
        if (groups[i] == group) return true;
    }
    return false;
}
