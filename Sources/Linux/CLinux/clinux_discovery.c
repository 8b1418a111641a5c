// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "clinux_discovery.h"
#include "clinux_packet.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/if.h>
#include <linux/if_arp.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#define LOAD(size, offset) BPF_STMT(BPF_LD | BPF_##size | BPF_ABS, (unsigned)(offset))
#define EQUAL(value, yes, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)(value), yes, no)
#define TAKE BPF_STMT(BPF_RET | BPF_K, UINT32_MAX)
#define LEAVE BPF_STMT(BPF_RET | BPF_K, 0)

// Frames that arrive over the link without a VLAN tag.
#define INCOMING                                                                                                       \
    LOAD(W, SKF_AD_OFF + SKF_AD_PKTTYPE), EQUAL(PACKET_OUTGOING, 0, 1), LEAVE,                                         \
        LOAD(W, SKF_AD_OFF + SKF_AD_VLAN_TAG_PRESENT), EQUAL(0, 1, 0), LEAVE

// Offsets in a frame.
enum {
    destination = 0,
    source = 6,
    type = 12,
    ipv4_fragment = 20,
    ipv4_protocol = 23,
    ipv6_next_header = 20,
    icmpv6_type = 54,
    icmpv6_target = 62,
};

enum { dhcp_server_port = 67, router_solicitation = 133, router_advertisement = 134, neighbour_advertisement = 136 };

static int attach(int socket, struct sock_filter *filter, unsigned count) {
    const struct sock_fprog program = {.len = (unsigned short)count, .filter = filter};
    return setsockopt(socket, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program);
}

static unsigned upper(uint64_t address) { return (unsigned)(address >> 16); }
static unsigned lower(uint64_t address) { return (unsigned)(address & 0xffff); }

int clinux_device_socket_choose(int socket, uint64_t own, uint64_t device) {
    struct sock_filter nothing[] = {LEAVE};
    if (device == 0) return attach(socket, nothing, 1);
    struct sock_filter filter[] = {
        INCOMING,
        LOAD(H, type), EQUAL(ETH_P_IPV6, 1, 0), LEAVE,
        LOAD(W, source), EQUAL(upper(device), 1, 0), LEAVE,
        LOAD(H, source + 4), EQUAL(lower(device), 1, 0), LEAVE,
        LOAD(B, destination), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 1, 4, 0),
        LOAD(W, destination), EQUAL(upper(own), 0, 3),
        LOAD(H, destination + 4), EQUAL(lower(own), 0, 1),
        TAKE,
        LEAVE,
    };
    return attach(socket, filter, sizeof filter / sizeof *filter);
}

int clinux_discovery_socket_leave_out(int socket, const uint64_t *devices, unsigned count) {
    if (count > clinux_discovery_limit) {
        errno = EINVAL;
        return -1;
    }
    struct sock_filter head[] = {
        INCOMING,
        LOAD(H, type), EQUAL(ETH_P_IPV6, 11, 0), EQUAL(ETH_P_IP, 1, 0), LEAVE,
        // IPv4: an unfragmented datagram to the DHCP server port.
        LOAD(B, ipv4_protocol), EQUAL(IPPROTO_UDP, 0, 6),
        LOAD(H, ipv4_fragment), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 0x1fff, 4, 0),
        BPF_STMT(BPF_LDX | BPF_B | BPF_MSH, ETH_HLEN),
        BPF_STMT(BPF_LD | BPF_H | BPF_IND, ETH_HLEN + 2), EQUAL(dhcp_server_port, 0, 1),
        TAKE,
        LEAVE,
    };
    struct sock_filter middle[] = {
        // A listener report follows a hop-by-hop options header.
        LOAD(B, ipv6_next_header), EQUAL(IPPROTO_HOPOPTS, 17, 0), EQUAL(IPPROTO_ICMPV6, 1, 0), LEAVE,
        LOAD(B, icmpv6_type), EQUAL(router_advertisement, 0, 1), TAKE,
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, router_solicitation, 1, 0), LEAVE,
        BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, neighbour_advertisement, 0, 1), LEAVE,
        // fe80::1, the router's
        EQUAL(neighbour_advertisement, 0, 7),
        LOAD(W, icmpv6_target), EQUAL(0xfe800000, 0, 5),
        LOAD(W, icmpv6_target + 8), EQUAL(0, 0, 3),
        LOAD(W, icmpv6_target + 12), EQUAL(1, 0, 1), TAKE,
    };
    enum { heads = sizeof head / sizeof *head, middles = sizeof middle / sizeof *middle, each = 5 };
    struct sock_filter filter[heads + middles + clinux_discovery_limit * each + 1];
    struct sock_filter take = TAKE;
    unsigned length = 0;
    for (unsigned i = 0; i < heads; i++) filter[length++] = head[i];
    for (unsigned i = 0; i < middles; i++) filter[length++] = middle[i];
    for (unsigned i = 0; i < count; i++) {
        struct sock_filter one[each] = {
            LOAD(W, source), EQUAL(upper(devices[i]), 0, 3),
            LOAD(H, source + 4), EQUAL(lower(devices[i]), 0, 1), LEAVE,
        };
        for (unsigned j = 0; j < each; j++) filter[length++] = one[j];
    }
    filter[length++] = take;
    return attach(socket, filter, length);
}

static int failing(int socket) {
    const int error = errno;
    close(socket);
    errno = error;
    return -1;
}

int clinux_device_socket(const char *interface) {
    const int socket = clinux_packet_socket(interface);
    if (socket < 0) return -1;
    const struct packet_mreq all = {.mr_ifindex = clinux_interface_index(socket, interface), .mr_type = PACKET_MR_PROMISC};
    if (clinux_device_socket_choose(socket, 0, 0) != 0
        || setsockopt(socket, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &all, sizeof all) != 0)
        return failing(socket);
    return socket;
}

int clinux_discovery_socket(const char *interface) {
    const int descriptor = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor < 0) return -1;
    const struct sockaddr_ll address = {
        .sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL), .sll_ifindex = clinux_interface_index(descriptor, interface)};
    if (address.sll_ifindex == 0 || clinux_discovery_socket_leave_out(descriptor, NULL, 0) != 0
        || bind(descriptor, (const struct sockaddr *)&address, sizeof address) != 0)
        return failing(descriptor);
    return descriptor;
}

uint64_t clinux_interface_address(const char *interface) {
    struct ifreq request = {.ifr_ifindex = 0};
    const int any = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (any < 0) return 0;
    errno = ENODEV;
    const int isThere = strlen(interface) < IFNAMSIZ
                        && (strcpy(request.ifr_name, interface), ioctl(any, SIOCGIFHWADDR, &request) == 0);
    const int error = errno;
    close(any);
    errno = error;
    if (!isThere) return 0;
    if (request.ifr_hwaddr.sa_family != ARPHRD_ETHER) {
        errno = EINVAL;
        return 0;
    }
    uint64_t address = 0;
    for (int i = 0; i < 6; i++) address = address << 8 | (uint8_t)request.ifr_hwaddr.sa_data[i];
    return address;
}
