// SPDX-License-Identifier: Apache-2.0
// Interposes the socket calls that the tracer records: passes them on unchanged, and reports the frames of an interpreter (frames.h). If no
// frames are wanted, each is a check and a tail call, so that a native stack that the tracer reads at the call has no frame of the shim.
//
// Not _GNU_SOURCE: with it, glibc declares the parameters for addresses as a transparent union of pointers (__CONST_SOCKADDR_ARG), which
// these definitions would not match.
#define _DEFAULT_SOURCE
#include "configuration.h"
#include "evidence.h"
#include "frames.h"
#include "interpose.h"
#include "real.h"
#include "url_loading.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>

/// The kind of a socket: calls on different kinds of sockets are different calls, even if the rest is the same.
struct kind {
    int domain, type;
};

static struct kind kind_of(int socket) {
    struct kind kind = {0};
    int saved = errno;
    socklen_t size = sizeof kind.domain;
    getsockopt(socket, SOL_SOCKET, SO_DOMAIN, &kind.domain, &size);
    size = sizeof kind.type;
    getsockopt(socket, SOL_SOCKET, SO_TYPE, &kind.type, &size);
    errno = saved;
    return kind;
}

/// A hash that identifies a call with an address, for the limit of reports (frames.h): of the address, its length and the socket's kind. 0
/// if there is no address, or one of another family than IPv4, IPv6 and Unix.
static uint64_t call_to(const char *name, int socket, const struct sockaddr *address, socklen_t size) {
    if (address == NULL || size < sizeof address->sa_family) return 0;
    // The padding after an IPv4 address may have any value.
    socklen_t said = address->sa_family == AF_INET    ? offsetof(struct sockaddr_in, sin_zero)
                     : address->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6)
                     : address->sa_family == AF_UNIX  ? sizeof(struct sockaddr_un)
                                                      : 0;
    if (said == 0) return 0;
    struct {
        char address[sizeof(struct sockaddr_un)];
        socklen_t size;
        struct kind kind;
    } call = {.size = size, .kind = kind_of(socket)};
    memcpy(&call.address, address, size < said ? size : said);
    return frames_call(name, &call, sizeof call);
}

/// The same for `listen`, which has no address: of the address to which the socket is bound.
static uint64_t call_of(const char *name, int socket) {
    struct sockaddr_in6 address = {0};
    socklen_t size = sizeof address;
    int saved = errno;
    getsockname(socket, (struct sockaddr *)&address, &size);
    errno = saved;
    return frames_call(name, &address, sizeof address);
}

INTERPOSED int socket(int domain, int type, int protocol) {
    // Sockets of other families, such as the AF_NETLINK ones of the interpreters' libraries, are not reported.
    if (!frames_wanted() || (domain != AF_INET && domain != AF_INET6)) return real_socket()->socket(domain, type, protocol);
    struct kind kind = {.domain = domain, .type = type};
    uint64_t call = frames_call("socket", &kind, sizeof kind);
    bool is_told = frames_before(call);
    int result = real_socket()->socket(domain, type, protocol);
    frames_after(call, is_told, result < 0 ? errno : 0);
    return result;
}

static int pass_connect_on(int socket, const struct sockaddr *address, socklen_t size) {
    if (!frames_wanted()) return real_socket()->connect(socket, address, size);
    uint64_t call = call_to("connect", socket, address, size);
    bool is_told = frames_before(call);
    int result = real_socket()->connect(socket, address, size);
    frames_after(call, is_told, result < 0 ? errno : 0);
    return result;
}

/// A separate function: `&made` needs a stack frame, and `connect` itself must only tail-call the real one (see the top of this file).
__attribute__((noinline)) static int connect_as_url_loading(
    int socket, const struct sockaddr *address, socklen_t size, const void *caller
) {
    int made;
    if (url_loading_connect(socket, address, size, caller, &made)) return made;
    return pass_connect_on(socket, address, size);
}

/// Whether the address is a Unix socket with a path and is to be reported. Unlike an abstract one, it is not part of the client's network
/// namespace (unix(7)).
static bool leaves_namespace(const struct sockaddr *address, socklen_t size) {
    size_t start = offsetof(struct sockaddr_un, sun_path);
    return address != NULL && size > start && size <= sizeof(struct sockaddr_un) && address->sa_family == AF_UNIX
           && ((const struct sockaddr_un *)address)->sun_path[0] != '\0' && evidence_wanted();
}

/// A separate function, as above. The record has no return address, because resolving one takes the dynamic loader's lock (dladdr), and
/// `connect` is also called between fork and exec, where another thread's lock is never released.
__attribute__((noinline)) static int connect_to_path(int socket, const struct sockaddr *address, socklen_t size) {
    int result = pass_connect_on(socket, address, size);
    if (result < 0 && errno != EINPROGRESS) return result;
    // The path need not end with NUL.
    char path[sizeof(struct sockaddr_un) + 1] = {0};
    memcpy(path, ((const struct sockaddr_un *)address)->sun_path, size - offsetof(struct sockaddr_un, sun_path));
    int saved = errno;
    struct synthesis_record record = {.call = "connect_unix", .node = path};
    if (evidence_is_new(record.call, path, NULL)) evidence_send(&record, NULL);
    errno = saved;
    return result;
}

INTERPOSED int connect(int socket, const struct sockaddr *address, socklen_t size) {
    if (leaves_namespace(address, size)) return connect_to_path(socket, address, size);
    if (url_loading_is_wanted()) return connect_as_url_loading(socket, address, size, __builtin_return_address(0));
    return pass_connect_on(socket, address, size);
}

INTERPOSED int bind(int socket, const struct sockaddr *address, socklen_t size) {
    if (!frames_wanted()) return real_socket()->bind(socket, address, size);
    uint64_t call = call_to("bind", socket, address, size);
    bool is_told = frames_before(call);
    int result = real_socket()->bind(socket, address, size);
    frames_after(call, is_told, result < 0 ? errno : 0);
    return result;
}

INTERPOSED int listen(int socket, int backlog) {
    if (!frames_wanted()) return real_socket()->listen(socket, backlog);
    uint64_t call = call_of("listen", socket);
    bool is_told = frames_before(call);
    int result = real_socket()->listen(socket, backlog);
    frames_after(call, is_told, result < 0 ? errno : 0);
    return result;
}

INTERPOSED ssize_t sendto(
    int socket, const void *octets, size_t count, int flags, const struct sockaddr *address, socklen_t size
) {
    if (!frames_wanted()) return real_socket()->sendto(socket, octets, count, flags, address, size);
    uint64_t call = call_to("sendto", socket, address, size);
    bool is_told = frames_before(call);
    ssize_t result = real_socket()->sendto(socket, octets, count, flags, address, size);
    frames_after(call, is_told, result < 0 ? errno : 0);
    return result;
}

INTERPOSED ssize_t sendmsg(int socket, const struct msghdr *message, int flags) {
    if (!frames_wanted()) return real_socket()->sendmsg(socket, message, flags);
    uint64_t call = message == NULL ? 0 : call_to("sendmsg", socket, message->msg_name, message->msg_namelen);
    bool is_told = frames_before(call);
    ssize_t result = real_socket()->sendmsg(socket, message, flags);
    frames_after(call, is_told, result < 0 ? errno : 0);
    return result;
}

INTERPOSED int setsockopt(int socket, int level, int option, const void *value, socklen_t size) {
    if (!frames_wanted()) return real_socket()->setsockopt(socket, level, option, value, size);
    uint64_t call = 0;
    if (level == IPPROTO_IP || level == IPPROTO_IPV6) {
        int said[] = {level, option, kind_of(socket).domain};
        call = frames_call("setsockopt", said, sizeof said);
    }
    bool is_told = frames_before(call);
    int result = real_socket()->setsockopt(socket, level, option, value, size);
    frames_after(call, is_told, result < 0 ? errno : 0);
    return result;
}

/// The requests of netdevice(7) that the tracer records: all addresses (SIOCGIFCONF), and the address (SIOCGIFADDR), peer address
/// (SIOCGIFDSTADDR), broadcast address (SIOCGIFBRDADDR) and network mask (SIOCGIFNETMASK) of one interface.
enum { GET_CONFIGURATION = 0x8912, GET_ADDRESS = 0x8915, GET_FAR_ADDRESS = 0x8917, GET_BROADCAST = 0x8919, GET_MASK = 0x891b };

/// The hash of a request. The name is the first member of struct ifreq.
static uint64_t call_of_request(unsigned request, const void *argument) {
    struct {
        unsigned request;
        char interface[16];
    } call = {.request = request};
    switch (request) {
    case GET_ADDRESS:
    case GET_FAR_ADDRESS:
    case GET_BROADCAST:
    case GET_MASK:
        if (argument != NULL) memcpy(call.interface, argument, strnlen(argument, sizeof call.interface));
        break;
    case GET_CONFIGURATION: break;
    default: return 0;
    }
    return frames_call("ioctl", &call, sizeof call);
}

// musl's parameter has another type.
#ifdef __GLIBC__
INTERPOSED int ioctl(int file, unsigned long request, ...) {
#else
INTERPOSED int ioctl(int file, int request, ...) {
#endif
    va_list rest;
    va_start(rest, request);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    if ((unsigned)request == GET_CONFIGURATION) evidence_of_interfaces();
    if (!frames_wanted()) return real_socket()->ioctl(file, request, argument);
    uint64_t call = call_of_request((unsigned)request, argument);
    bool is_told = frames_before(call);
    int result = real_socket()->ioctl(file, request, argument);
    frames_after(call, is_told, result < 0 ? errno : 0);
    return result;
}
