// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "clinux_packet.h"
#include "clinux_tun.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/ethtool.h>
#include <linux/filter.h>
#include <linux/if.h>
#include <linux/if_arp.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/sockios.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/utsname.h>
#include <unistd.h>

// In the kernel's headers since Linux 6.4.
#ifndef PACKET_VNET_HDR_SZ
#define PACKET_VNET_HDR_SZ 24
#endif

_Static_assert(ETH_HLEN == clinux_ethernet_header_size, "ETH_HLEN");
_Static_assert(ETH_P_IP == clinux_ethernet_type_ipv4, "ETH_P_IP");
_Static_assert(ETH_P_IPV6 == clinux_ethernet_type_ipv6, "ETH_P_IPV6");

// Incoming IP packets: not the frames that are sent here, none with a VLAN tag, and no other protocols.
static struct sock_filter incoming_ip[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)(SKF_AD_OFF + SKF_AD_PKTTYPE)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PACKET_OUTGOING, 6, 0),
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)(SKF_AD_OFF + SKF_AD_VLAN_TAG_PRESENT)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 4),
    BPF_STMT(BPF_LD | BPF_H | BPF_ABS, offsetof(struct ethhdr, h_proto)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ETH_P_IP, 1, 0),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ETH_P_IPV6, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, UINT32_MAX),
    BPF_STMT(BPF_RET | BPF_K, 0),
};

// A super-packet counts as some 70 KB, and the usual limit of 200 KB holds three of them.
static void enlarge_queues(int descriptor) {
    const int size = 8 << 20;
    if (setsockopt(descriptor, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof size) != 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
    if (setsockopt(descriptor, SOL_SOCKET, SO_SNDBUFFORCE, &size, sizeof size) != 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
}

int clinux_interface_index(int socket, const char *interface) {
    struct ifreq request = {.ifr_ifindex = 0};
    if (strlen(interface) < IFNAMSIZ) {
        strcpy(request.ifr_name, interface);
        if (ioctl(socket, SIOCGIFINDEX, &request) == 0) return request.ifr_ifindex;
    }
    errno = ENODEV;
    return 0;
}

static int prepare(int descriptor, const char *interface) {
    const int on = 1;
    if (setsockopt(descriptor, SOL_PACKET, PACKET_VNET_HDR, &on, sizeof on) != 0) return -1;
    const struct sock_fprog filter = {.len = sizeof incoming_ip / sizeof *incoming_ip, .filter = incoming_ip};
    if (setsockopt(descriptor, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter) != 0) return -1;
    enlarge_queues(descriptor);
    const struct sockaddr_ll address = {
        .sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL), .sll_ifindex = clinux_interface_index(descriptor, interface)};
    if (address.sll_ifindex == 0) return -1;
    return bind(descriptor, (const struct sockaddr *)&address, sizeof address);
}

int clinux_packet_socket(const char *interface) {
    // Protocol 0: no frames arrive before the socket is bound.
    const int descriptor = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor < 0) return -1;
    if (prepare(descriptor, interface) != 0) {
        const int error = errno;
        close(descriptor);
        errno = error;
        return -1;
    }
    return descriptor;
}

static int option(int descriptor, int level, int name) {
    int value = -1;
    socklen_t length = sizeof value;
    return getsockopt(descriptor, level, name, &value, &length) == 0 ? value : -1;
}

int clinux_packet_inspect(int descriptor) {
    errno = 0;
    const int domain = option(descriptor, SOL_SOCKET, SO_DOMAIN);
    if (domain < 0) return -1;
    struct sockaddr_ll address = {.sll_family = 0};
    socklen_t length = sizeof address;
    if (domain == AF_PACKET && option(descriptor, SOL_SOCKET, SO_TYPE) == SOCK_RAW
        && option(descriptor, SOL_PACKET, PACKET_VNET_HDR) == 1
        // Checked only if the kernel knows the option.
        && (option(descriptor, SOL_PACKET, PACKET_VNET_HDR_SZ) < 0
            || option(descriptor, SOL_PACKET, PACKET_VNET_HDR_SZ) == clinux_vnet_header_size)
        && getsockname(descriptor, (struct sockaddr *)&address, &length) == 0 && address.sll_ifindex > 0
        && address.sll_hatype == ARPHRD_ETHER && address.sll_protocol == htons(ETH_P_ALL))
        return 0;
    errno = EINVAL;
    return -1;
}

// MARK: - Offloads

static bool ends_with(const char *name, const char *end) {
    const size_t length = strlen(name), tail = strlen(end);
    return length >= tail && strcmp(name + length - tail, end) == 0;
}

static bool is_told(const char *feature, bool udp_segmentation) {
    static const char *const others[] = {"tx-checksum-sctp", "tx-gso-partial", "tx-gso-list"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(feature, others[i]) == 0) return false;
    if (strncmp(feature, "tx-", 3) != 0 || !ends_with(feature, "-segmentation")) return true;
    if (strcmp(feature, "tx-udp-segmentation") == 0) return udp_segmentation;
    static const char *const known[] = {"tx-tcp-segmentation", "tx-tcp6-segmentation", "tx-tcp-ecn-segmentation"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(feature, known[i]) == 0) return true;
    return false;
}

// Sends one request to the driver, and returns the result of SIOCETHTOOL.
static int ask(int socket, const char *interface, void *command) {
    struct ifreq request = {.ifr_data = command};
    strcpy(request.ifr_name, interface);
    return ioctl(socket, SIOCETHTOOL, &request);
}

// Linux 6.18 has 67 of them; an interface with more than this limit is refused.
enum { feature_limit = 256 };

static int limit(int socket, const char *interface, bool udp_segmentation) {
    struct {
        struct ethtool_sset_info head;
        uint32_t count;
    } number = {.head = {.cmd = ETHTOOL_GSSET_INFO, .sset_mask = UINT64_C(1) << ETH_SS_FEATURES}};
    if (ask(socket, interface, &number) < 0) return -1;
    if (number.count == 0 || number.count > feature_limit) {
        errno = EOVERFLOW;
        return -1;
    }
    struct ethtool_gstrings *names = calloc(1, sizeof *names + feature_limit * ETH_GSTRING_LEN);
    struct ethtool_sfeatures *change =
        calloc(1, sizeof *change + feature_limit / 32 * sizeof(struct ethtool_set_features_block));
    int result = -1;
    if (names != NULL && change != NULL) {
        names->cmd = ETHTOOL_GSTRINGS;
        names->string_set = ETH_SS_FEATURES;
        names->len = number.count;
        result = ask(socket, interface, names);
        change->cmd = ETHTOOL_SFEATURES;
        change->size = (number.count + 31) / 32;
        for (uint32_t i = 0; result >= 0 && i < number.count; i++) {
            char name[ETH_GSTRING_LEN + 1] = {0};
            memcpy(name, names->data + i * ETH_GSTRING_LEN, ETH_GSTRING_LEN);
            if (!is_told(name, udp_segmentation)) change->features[i / 32].valid |= UINT32_C(1) << i % 32;
        }
        // A positive result means that some of them cannot be changed: those are already off.
        if (result >= 0) result = ask(socket, interface, change);
    }
    free(names);
    free(change);
    return result < 0 ? -1 : 0;
}

int clinux_limit_offloads(const char *interface, bool udp_segmentation) {
    if (strlen(interface) >= IFNAMSIZ) {
        errno = ENAMETOOLONG;
        return -1;
    }
    const int descriptor = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return -1;
    const int result = limit(descriptor, interface, udp_segmentation);
    const int error = errno;
    close(descriptor);
    errno = error;
    return result;
}

bool clinux_packet_knows_udp_segmentation(void) {
    struct utsname system;
    int version = 0, revision = 0;
    if (uname(&system) != 0 || sscanf(system.release, "%d.%d", &version, &revision) != 2) return false;
    return version > 6 || (version == 6 && revision >= 2);
}
