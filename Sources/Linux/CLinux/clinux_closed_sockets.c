// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "clinux_closed_sockets.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>
#include <unistd.h>

// The default of net.ipv4.ip_local_port_range, which a new network namespace has.
enum { first_chosen_port = 32768, last_chosen_port = 60999 };

// The kernel's message: its header, an inet_diag_msg, and the protocol as the first attribute.
enum {
    message = NLMSG_HDRLEN,
    own_port = message + offsetof(struct inet_diag_msg, id.idiag_sport),
    own_address = message + offsetof(struct inet_diag_msg, id.idiag_src),
    peer = message + offsetof(struct inet_diag_msg, id.idiag_dst),
    attribute = message + NLMSG_ALIGN(sizeof(struct inet_diag_msg)),
    length_with_protocol = attribute + RTA_LENGTH(1),
};

static struct sock_filter wanted[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, peer),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 6),
    BPF_STMT(BPF_LD | BPF_B | BPF_ABS, own_address),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 127, 4, 0),
    BPF_STMT(BPF_LD | BPF_H | BPF_ABS, own_port),
    BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, first_chosen_port, 0, 1),
    BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, last_chosen_port, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, UINT32_MAX),
    BPF_STMT(BPF_RET | BPF_K, 0),
};

// Whether the kernel tells of datagram sockets (CONFIG_INET_UDP_DIAG): it answers a question for those that are open, here for none.
static bool knows_datagrams(int netlink) {
    const struct {
        struct nlmsghdr header;
        struct inet_diag_req_v2 request;
    } question = {
        .header = {.nlmsg_len = sizeof question, .nlmsg_type = SOCK_DIAG_BY_FAMILY, .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP},
        .request = {.sdiag_family = AF_INET, .sdiag_protocol = IPPROTO_UDP},
    };
    if (send(netlink, &question, sizeof question, 0) != sizeof question) return false;
    _Alignas(struct nlmsghdr) char answer[256];
    const ssize_t length = recv(netlink, answer, sizeof answer, 0);
    if (length < (ssize_t)sizeof(struct nlmsghdr)) return false;
    if (((const struct nlmsghdr *)answer)->nlmsg_type == NLMSG_DONE) return true;
    errno = ENOENT;
    return false;
}

int clinux_watch_closed_sockets(void) {
    const int netlink = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_SOCK_DIAG);
    if (netlink < 0) return -1;
    const struct sock_fprog program = {.len = sizeof wanted / sizeof *wanted, .filter = wanted};
    const struct sockaddr_nl groups = {
        .nl_family = AF_NETLINK,
        .nl_groups = 1 << (SKNLGRP_INET_TCP_DESTROY - 1) | 1 << (SKNLGRP_INET_UDP_DESTROY - 1),
    };
    // The filter would not let the answer through.
    if (bind(netlink, (const struct sockaddr *)&groups, sizeof groups) == 0 && knows_datagrams(netlink)
        && setsockopt(netlink, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program) == 0)
        return netlink;
    const int reason = errno;
    close(netlink);
    errno = reason;
    return -1;
}

long clinux_take_closed_sockets(int netlink, struct clinux_closed_socket *taken, size_t capacity) {
    size_t count = 0;
    while (count < capacity) {
        // The rest of a longer message is not needed.
        _Alignas(struct nlmsghdr) char buffer[RTA_ALIGN(length_with_protocol)];
        const ssize_t length = recv(netlink, buffer, sizeof buffer, 0);
        if (length < 0 && errno == EINTR) continue;
        if (length < 0 && (errno != EAGAIN || count == 0)) return -1;
        if (length < 0) break;
        const struct rtattr *protocol = (const struct rtattr *)(buffer + attribute);
        if (length < length_with_protocol || protocol->rta_type != INET_DIAG_PROTOCOL) continue;
        const struct inet_diag_msg *closed = NLMSG_DATA((struct nlmsghdr *)buffer);
        taken[count++] = (struct clinux_closed_socket){
            .cookie = (uint64_t)closed->id.idiag_cookie[1] << 32 | closed->id.idiag_cookie[0],
            .address = ntohl(closed->id.idiag_src[0]),
            .port = ntohs(closed->id.idiag_sport),
            .protocol = *(const uint8_t *)RTA_DATA(protocol),
        };
    }
    return (long)count;
}
