// SPDX-License-Identifier: Apache-2.0
// See route.h: RTM_GETROUTE of rtnetlink(7). The kernel answers during the send, so there is no waiting.
#define _GNU_SOURCE
#include "route.h"

#ifdef __GLIBC__
#include <errno.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

bool route_is_missing(struct in_addr address) {
    struct {
        struct nlmsghdr header;
        struct rtmsg route;
        struct rtattr attribute;
        struct in_addr destination;
    } question = {
        .header = {.nlmsg_len = sizeof question, .nlmsg_type = RTM_GETROUTE, .nlmsg_flags = NLM_F_REQUEST},
        .route = {.rtm_family = AF_INET, .rtm_dst_len = 32},
        .attribute = {.rta_len = RTA_LENGTH(sizeof question.destination), .rta_type = RTA_DST},
        .destination = address,
    };
    // A refusal is followed by the question; for a route, the header is enough.
    struct {
        struct nlmsghdr header;
        struct nlmsgerr error;
        char rest[128];
    } answer;
    int netlink = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    if (netlink < 0) return false;
    bool is_missing = false;
    if (send(netlink, &question, sizeof question, 0) == sizeof question) {
        ssize_t size = recv(netlink, &answer, sizeof answer, MSG_DONTWAIT);
        is_missing = size >= (ssize_t)(sizeof answer.header + sizeof answer.error) && answer.header.nlmsg_type == NLMSG_ERROR
                     && (answer.error.error == -ENETUNREACH || answer.error.error == -EHOSTUNREACH);
    }
    close(netlink);
    return is_missing;
}

#else

bool route_is_missing(struct in_addr address) {
    (void)address;
    return false;
}

#endif
