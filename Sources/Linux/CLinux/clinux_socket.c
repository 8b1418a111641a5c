// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "clinux_socket.h"

#include <endian.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// MARK: - Addresses

union address {
    struct sockaddr any;
    struct sockaddr_in ipv4;
    struct sockaddr_in6 ipv6;
};

static socklen_t encode(const struct clinux_address *from, union address *to) {
    memset(to, 0, sizeof *to);
    switch (from->family) {
    case 4:
        to->ipv4.sin_family = AF_INET;
        to->ipv4.sin_port = htons(from->port);
        to->ipv4.sin_addr.s_addr = htonl((uint32_t)from->low);
        return sizeof to->ipv4;
    case 6: {
        uint64_t halves[2] = {htobe64(from->high), htobe64(from->low)};
        to->ipv6.sin6_family = AF_INET6;
        to->ipv6.sin6_port = htons(from->port);
        to->ipv6.sin6_scope_id = from->scope;
        memcpy(&to->ipv6.sin6_addr, halves, sizeof halves);
        return sizeof to->ipv6;
    }
    default:
        return 0;
    }
}

static void decode_ipv4(struct in_addr from, struct clinux_address *to) {
    to->family = 4;
    to->low = ntohl(from.s_addr);
}

static void decode_ipv6(struct in6_addr from, uint32_t scope, struct clinux_address *to) {
    uint64_t halves[2];
    memcpy(halves, &from, sizeof halves);
    to->family = 6;
    to->high = be64toh(halves[0]);
    to->low = be64toh(halves[1]);
    to->scope = scope;
}

static void decode(const union address *from, struct clinux_address *to) {
    memset(to, 0, sizeof *to);
    if (from->any.sa_family == AF_INET) {
        decode_ipv4(from->ipv4.sin_addr, to);
        to->port = ntohs(from->ipv4.sin_port);
    } else if (from->any.sa_family == AF_INET6) {
        decode_ipv6(from->ipv6.sin6_addr, from->ipv6.sin6_scope_id, to);
        to->port = ntohs(from->ipv6.sin6_port);
    }
}

// MARK: - Sockets

static int make_socket(int family, int type) {
    int descriptor = socket(family == 4 ? AF_INET : AF_INET6, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (descriptor < 0 || family == 4) return descriptor;
    const int on = 1;
    if (setsockopt(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on) == 0) return descriptor;
    const int error = errno;
    close(descriptor);
    errno = error;
    return -1;
}

int clinux_datagram_socket(int family) { return make_socket(family, SOCK_DGRAM); }

int clinux_stream_socket(int family) { return make_socket(family, SOCK_STREAM); }

int clinux_bind(int descriptor, const struct clinux_address *address) {
    union address name;
    const socklen_t length = encode(address, &name);
    return bind(descriptor, &name.any, length);
}

int clinux_connect(int descriptor, const struct clinux_address *address) {
    union address name;
    const socklen_t length = encode(address, &name);
    return connect(descriptor, &name.any, length);
}

int clinux_accept(int descriptor, struct clinux_address *peer) {
    union address name = {0};
    socklen_t length = sizeof name;
    const int accepted = accept4(descriptor, &name.any, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (accepted >= 0) decode(&name, peer);
    return accepted;
}

int clinux_local_address(int descriptor, struct clinux_address *address) {
    union address name = {0};
    socklen_t length = sizeof name;
    const int result = getsockname(descriptor, &name.any, &length);
    if (result == 0) decode(&name, address);
    return result;
}

int clinux_peer_address(int descriptor, struct clinux_address *address) {
    union address name = {0};
    socklen_t length = sizeof name;
    const int result = getpeername(descriptor, &name.any, &length);
    if (result == 0) decode(&name, address);
    return result;
}

int clinux_reuse_address(int descriptor) {
    const int on = 1;
    return setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
}

int clinux_bind_to_any_address(int descriptor) {
    const int on = 1;
    return setsockopt(descriptor, IPPROTO_IP, IP_FREEBIND, &on, sizeof on);
}

int clinux_reset_when_closed(int descriptor) {
    const struct linger at_once = {.l_onoff = 1, .l_linger = 0};
    return setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
}

int clinux_send_without_delay(int descriptor) {
    const int on = 1;
    return setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

int clinux_take_error(int descriptor, int *error) {
    socklen_t length = sizeof *error;
    return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, error, &length);
}

int clinux_report_local_address(int descriptor, int family) {
    const int on = 1;
    return family == 4 ? setsockopt(descriptor, IPPROTO_IP, IP_PKTINFO, &on, sizeof on)
                       : setsockopt(descriptor, IPPROTO_IPV6, IPV6_RECVPKTINFO, &on, sizeof on);
}

int clinux_fragment_to_minimum(int descriptor) {
    // The minimum MTU of IPv6 (RFC 8200 §5).
    const int mtu = 1280;
    return setsockopt(descriptor, IPPROTO_IPV6, IPV6_MTU, &mtu, sizeof mtu);
}

// MARK: - Datagrams

// Space for one packet information of either family.
union control {
    struct cmsghdr aligned;
    char ipv4[CMSG_SPACE(sizeof(struct in_pktinfo))];
    char ipv6[CMSG_SPACE(sizeof(struct in6_pktinfo))];
};

// The headers of one call, on the stack.
struct batch {
    struct mmsghdr headers[clinux_batch_limit];
    struct iovec parts[clinux_batch_limit];
    union address names[clinux_batch_limit];
    union control controls[clinux_batch_limit];
};

static void read_local_address(struct msghdr *header, struct clinux_address *local) {
    memset(local, 0, sizeof *local);
    for (struct cmsghdr *item = CMSG_FIRSTHDR(header); item; item = CMSG_NXTHDR(header, item)) {
        if (item->cmsg_level == IPPROTO_IP && item->cmsg_type == IP_PKTINFO) {
            struct in_pktinfo information;
            memcpy(&information, CMSG_DATA(item), sizeof information);
            decode_ipv4(information.ipi_addr, local);
        } else if (item->cmsg_level == IPPROTO_IPV6 && item->cmsg_type == IPV6_PKTINFO) {
            struct in6_pktinfo information;
            memcpy(&information, CMSG_DATA(item), sizeof information);
            // The interface matters only for a link-local address; for others it would bypass the routing table.
            const bool link_local = IN6_IS_ADDR_LINKLOCAL(&information.ipi6_addr);
            decode_ipv6(information.ipi6_addr, link_local ? information.ipi6_ifindex : 0, local);
        }
    }
}

static void write_local_address(const struct clinux_address *local, struct msghdr *header, union control *room) {
    union address name;
    if (encode(local, &name) == 0) return;
    memset(room, 0, sizeof *room);
    header->msg_control = room;
    header->msg_controllen = local->family == 4 ? sizeof room->ipv4 : sizeof room->ipv6;
    struct cmsghdr *item = CMSG_FIRSTHDR(header);
    if (local->family == 4) {
        const struct in_pktinfo information = {.ipi_spec_dst = name.ipv4.sin_addr};
        item->cmsg_level = IPPROTO_IP;
        item->cmsg_type = IP_PKTINFO;
        item->cmsg_len = CMSG_LEN(sizeof information);
        memcpy(CMSG_DATA(item), &information, sizeof information);
    } else {
        const struct in6_pktinfo information = {.ipi6_addr = name.ipv6.sin6_addr, .ipi6_ifindex = local->scope};
        item->cmsg_level = IPPROTO_IPV6;
        item->cmsg_type = IPV6_PKTINFO;
        item->cmsg_len = CMSG_LEN(sizeof information);
        memcpy(CMSG_DATA(item), &information, sizeof information);
    }
}

ssize_t clinux_receive_datagram(int descriptor, void *data, size_t length, struct clinux_address *sender) {
    union address name = {0};
    socklen_t room = sizeof name;
    const ssize_t received = recvfrom(descriptor, data, length, 0, &name.any, &room);
    if (received >= 0) decode(&name, sender);
    return received;
}

int clinux_receive_datagrams(int descriptor, struct clinux_datagram *datagrams, unsigned count) {
    struct batch batch;
    if (count > clinux_batch_limit) count = clinux_batch_limit;
    for (unsigned i = 0; i < count; i++) {
        batch.parts[i] = (struct iovec){datagrams[i].data, datagrams[i].length};
        batch.headers[i] = (struct mmsghdr){.msg_hdr = {
            .msg_name = &batch.names[i], .msg_namelen = sizeof batch.names[i],
            .msg_iov = &batch.parts[i], .msg_iovlen = 1,
            .msg_control = &batch.controls[i], .msg_controllen = sizeof batch.controls[i],
        }};
    }
    const int received = recvmmsg(descriptor, batch.headers, count, MSG_DONTWAIT, NULL);
    for (int i = 0; i < received; i++) {
        struct msghdr *header = &batch.headers[i].msg_hdr;
        datagrams[i].length = batch.headers[i].msg_len;
        datagrams[i].truncated = header->msg_flags & MSG_TRUNC;
        decode(&batch.names[i], &datagrams[i].peer);
        read_local_address(header, &datagrams[i].local);
    }
    return received;
}

int clinux_send_datagrams(int descriptor, struct clinux_datagram *datagrams, unsigned count) {
    struct batch batch;
    if (count > clinux_batch_limit) count = clinux_batch_limit;
    for (unsigned i = 0; i < count; i++) {
        struct msghdr header = {.msg_iov = &batch.parts[i], .msg_iovlen = 1};
        batch.parts[i] = (struct iovec){datagrams[i].data, datagrams[i].length};
        header.msg_namelen = encode(&datagrams[i].peer, &batch.names[i]);
        header.msg_name = header.msg_namelen ? &batch.names[i] : NULL;
        write_local_address(&datagrams[i].local, &header, &batch.controls[i]);
        batch.headers[i] = (struct mmsghdr){.msg_hdr = header};
    }
    return sendmmsg(descriptor, batch.headers, count, MSG_DONTWAIT | MSG_NOSIGNAL);
}

// MARK: - Messages with descriptors

union passing {
    struct cmsghdr aligned;
    char room[CMSG_SPACE(sizeof(int))];
};

int clinux_send_message(int descriptor, const void *data, size_t length, int passed, bool wait) {
    struct iovec part = {(void *)data, length};
    union passing control = {0};
    struct msghdr header = {.msg_iov = &part, .msg_iovlen = 1};
    if (passed >= 0) {
        header.msg_control = &control;
        header.msg_controllen = sizeof control;
        struct cmsghdr *item = CMSG_FIRSTHDR(&header);
        item->cmsg_level = SOL_SOCKET;
        item->cmsg_type = SCM_RIGHTS;
        item->cmsg_len = CMSG_LEN(sizeof passed);
        memcpy(CMSG_DATA(item), &passed, sizeof passed);
    }
    ssize_t sent;
    do sent = sendmsg(descriptor, &header, MSG_NOSIGNAL | (wait ? 0 : MSG_DONTWAIT));
    while (sent < 0 && errno == EINTR);
    return sent < 0 ? -1 : 0;
}

int clinux_receive_message(int descriptor, void *data, size_t *length, int *passed, bool wait) {
    struct iovec part = {data, *length};
    union passing control = {0};
    // Exactly one descriptor fits: more of them are an error of the sender, and the kernel drops them.
    struct msghdr header = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = CMSG_LEN(sizeof(int)),
    };
    // If the other end has closed without reading everything, that is reported once, before its own messages.
    ssize_t received;
    do received = recvmsg(descriptor, &header, MSG_CMSG_CLOEXEC | (wait ? 0 : MSG_DONTWAIT));
    while (received < 0 && (errno == EINTR || errno == ECONNRESET));
    *passed = -1;
    if (received < 0) return -1;
    *length = received;
    struct cmsghdr *item = CMSG_FIRSTHDR(&header);
    if (item && item->cmsg_level == SOL_SOCKET && item->cmsg_type == SCM_RIGHTS
        && item->cmsg_len == CMSG_LEN(sizeof *passed)) {
        memcpy(passed, CMSG_DATA(item), sizeof *passed);
    }
    if (!(header.msg_flags & (MSG_TRUNC | MSG_CTRUNC))) return 0;
    if (*passed >= 0) close(*passed);
    *passed = -1;
    errno = EMSGSIZE;
    return -1;
}
