// SPDX-License-Identifier: Apache-2.0
// See replacement.h. The new socket connects before it takes the old one's place. If that fails, for lack of a descriptor, of memory or of a
// route, nothing has changed.
#define _GNU_SOURCE
#include "replacement.h"
#include "real.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

struct option {
    int level;
    int name;
    /// The option for IPv6.
    int new_level;
    int new_name;
};

/// Options with an int. Buffer sizes are not among them: the kernel returns twice the requested size, and the defaults of a connection are
/// right.
static const struct option options[] = {
    {SOL_SOCKET, SO_KEEPALIVE, SOL_SOCKET, SO_KEEPALIVE},
    {SOL_SOCKET, SO_OOBINLINE, SOL_SOCKET, SO_OOBINLINE},
    {SOL_SOCKET, SO_PRIORITY, SOL_SOCKET, SO_PRIORITY},
    {SOL_SOCKET, SO_MARK, SOL_SOCKET, SO_MARK},
    {SOL_SOCKET, SO_REUSEADDR, SOL_SOCKET, SO_REUSEADDR},
    {IPPROTO_TCP, TCP_NODELAY, IPPROTO_TCP, TCP_NODELAY},
    {IPPROTO_TCP, TCP_KEEPIDLE, IPPROTO_TCP, TCP_KEEPIDLE},
    {IPPROTO_TCP, TCP_KEEPINTVL, IPPROTO_TCP, TCP_KEEPINTVL},
    {IPPROTO_TCP, TCP_KEEPCNT, IPPROTO_TCP, TCP_KEEPCNT},
    {IPPROTO_TCP, TCP_USER_TIMEOUT, IPPROTO_TCP, TCP_USER_TIMEOUT},
    {IPPROTO_IP, IP_TOS, IPPROTO_IPV6, IPV6_TCLASS},
    {IPPROTO_IP, IP_TTL, IPPROTO_IPV6, IPV6_UNICAST_HOPS},
};

static bool get(int descriptor, int level, int name, int *value) {
    socklen_t size = sizeof *value;
    return getsockopt(descriptor, level, name, value, &size) == 0;
}

bool socket_is_replaceable(int descriptor) {
    int domain, type, protocol;
    if (!get(descriptor, SOL_SOCKET, SO_DOMAIN, &domain) || domain != AF_INET) return false;
    if (!get(descriptor, SOL_SOCKET, SO_TYPE, &type) || type != SOCK_STREAM) return false;
    if (!get(descriptor, SOL_SOCKET, SO_PROTOCOL, &protocol) || protocol != IPPROTO_TCP) return false;
    // With a blocking socket, connect would wait while two sockets are open.
    int flags = fcntl(descriptor, F_GETFL);
    if (flags < 0 || (flags & O_NONBLOCK) == 0) return false;
    struct sockaddr_in own = {0};
    socklen_t size = sizeof own;
    return getsockname(descriptor, (struct sockaddr *)&own, &size) == 0 && own.sin_port == 0
           && own.sin_addr.s_addr == INADDR_ANY;
}

/// Sets the options that differ. An option that the process may not set keeps its value.
static void copy_options(int from, int to) {
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        const struct option *option = &options[i];
        int old, new;
        if (!get(from, option->level, option->name, &old) || !get(to, option->new_level, option->new_name, &new)) continue;
        if (old != new) real_socket()->setsockopt(to, option->new_level, option->new_name, &old, sizeof old);
    }
    struct linger linger;
    socklen_t size = sizeof linger;
    if (getsockopt(from, SOL_SOCKET, SO_LINGER, &linger, &size) == 0 && linger.l_onoff)
        real_socket()->setsockopt(to, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
}

/// An IPv6 socket with the descriptor's flags and options; -1 if that is impossible.
static int twin(int descriptor) {
    int flags = fcntl(descriptor, F_GETFL);
    int twin = real_socket()->socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, IPPROTO_TCP);
    if (twin < 0) return -1;
    if (flags >= 0 && fcntl(twin, F_SETFL, flags) == 0) {
        copy_options(descriptor, twin);
        return twin;
    }
    close(twin);
    return -1;
}

int replace_and_connect(int descriptor, const struct sockaddr_in6 *address) {
    int new = twin(descriptor);
    if (new < 0) return -1;
    int result = real_socket()->connect(new, (const struct sockaddr *)address, sizeof *address);
    int error = errno;
    if (result == 0 || error == EINPROGRESS) {
        int closed_on_exec = fcntl(descriptor, F_GETFD);
        int flags = closed_on_exec >= 0 && (closed_on_exec & FD_CLOEXEC) != 0 ? O_CLOEXEC : 0;
        if (dup3(new, descriptor, flags) < 0) {
            result = -1;
            error = errno;
        }
    }
    close(new);
    errno = error;
    return result;
}
