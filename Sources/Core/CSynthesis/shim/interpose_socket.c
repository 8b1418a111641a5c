// The calls that the tracer records, as an interpreter makes them: passed on as they are, and told of before (frames.h). Without a
// tracer, or without an interpreter, that is a comparison.
//
// Not _GNU_SOURCE: with it, glibc's addresses are unions of pointers.
#define _DEFAULT_SOURCE
#include "frames.h"
#include "interpose.h"
#include "real.h"

#include <netinet/in.h>
#include <sys/socket.h>

static void tell_of(const struct sockaddr *address, socklen_t size) {
    if (address == NULL || size < sizeof address->sa_family) return;
    if (address->sa_family == AF_INET || address->sa_family == AF_INET6) frames_tell();
}

INTERPOSED int connect(int socket, const struct sockaddr *address, socklen_t size) {
    if (frames_wanted()) tell_of(address, size);
    return real_socket()->connect(socket, address, size);
}

INTERPOSED int bind(int socket, const struct sockaddr *address, socklen_t size) {
    if (frames_wanted()) tell_of(address, size);
    return real_socket()->bind(socket, address, size);
}

INTERPOSED int listen(int socket, int backlog) {
    if (frames_wanted()) frames_tell();
    return real_socket()->listen(socket, backlog);
}

INTERPOSED ssize_t sendto(
    int socket, const void *octets, size_t count, int flags, const struct sockaddr *address, socklen_t size
) {
    if (frames_wanted()) tell_of(address, size);
    return real_socket()->sendto(socket, octets, count, flags, address, size);
}

INTERPOSED ssize_t sendmsg(int socket, const struct msghdr *message, int flags) {
    if (frames_wanted() && message != NULL) tell_of(message->msg_name, message->msg_namelen);
    return real_socket()->sendmsg(socket, message, flags);
}

INTERPOSED int setsockopt(int socket, int level, int option, const void *value, socklen_t size) {
    if (frames_wanted() && (level == IPPROTO_IP || level == IPPROTO_IPV6)) frames_tell();
    return real_socket()->setsockopt(socket, level, option, value, size);
}
