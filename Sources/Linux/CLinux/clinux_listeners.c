// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "clinux_listeners.h"

#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static struct clinux_address address_of(const struct inet_diag_msg *message) {
    struct clinux_address address = {
        .port = ntohs(message->id.idiag_sport),
        .family = message->idiag_family == AF_INET6 ? 6 : 4,
    };
    if (address.family == 4) {
        address.low = ntohl(message->id.idiag_src[0]);
    } else {
        uint64_t halves[2];
        memcpy(halves, message->id.idiag_src, sizeof halves);
        address.high = be64toh(halves[0]);
        address.low = be64toh(halves[1]);
    }
    return address;
}

static bool is_ipv6_only(const struct nlmsghdr *header, const struct inet_diag_msg *message) {
    int length = (int)NLMSG_PAYLOAD(header, sizeof *message);
    for (const struct rtattr *attribute = (const struct rtattr *)(message + 1); RTA_OK(attribute, length);
         attribute = RTA_NEXT(attribute, length))
        if (attribute->rta_type == INET_DIAG_SKV6ONLY) return *(const uint8_t *)RTA_DATA(attribute) != 0;
    return false;
}

static bool ask(int netlink, int family) {
    struct {
        struct nlmsghdr header;
        struct inet_diag_req_v2 request;
    } question = {
        .header = {.nlmsg_len = sizeof question, .nlmsg_type = SOCK_DIAG_BY_FAMILY, .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP},
        .request = {.sdiag_family = (uint8_t)family, .sdiag_protocol = IPPROTO_TCP, .idiag_states = 1 << TCP_LISTEN},
    };
    return send(netlink, &question, sizeof question, 0) == sizeof question;
}

// Reads the answer to its end. Returns the total number of listeners found so far, or -1.
static long take(int netlink, struct clinux_listener *found, size_t capacity, size_t count) {
    _Alignas(struct nlmsghdr) char buffer[16384];
    for (;;) {
        const ssize_t length = recv(netlink, buffer, sizeof buffer, 0);
        if (length < 0 && errno == EINTR) continue;
        if (length < 0) return -1;
        size_t rest = (size_t)length;
        for (const struct nlmsghdr *header = (const struct nlmsghdr *)buffer; NLMSG_OK(header, rest);
             header = NLMSG_NEXT(header, rest)) {
            if (header->nlmsg_type == NLMSG_DONE) return (long)count;
            if (header->nlmsg_type == NLMSG_ERROR) {
                errno = -((const struct nlmsgerr *)NLMSG_DATA(header))->error;
                return -1;
            }
            const struct inet_diag_msg *message = NLMSG_DATA(header);
            if (header->nlmsg_len < NLMSG_LENGTH(sizeof *message) || count == capacity) continue;
            found[count++] = (struct clinux_listener){
                .address = address_of(message),
                .is_ipv6_only = is_ipv6_only(header, message),
                .inode = message->idiag_inode,
            };
        }
    }
}

int clinux_open_socket_diagnosis(void) {
    return socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
}

long clinux_find_listeners(int netlink, struct clinux_listener *found, size_t capacity) {
    long count = 0;
    static const int families[] = {AF_INET6, AF_INET};
    for (size_t i = 0; i < 2 && count >= 0; i++)
        count = ask(netlink, families[i]) ? take(netlink, found, capacity, (size_t)count) : -1;
    return count;
}
