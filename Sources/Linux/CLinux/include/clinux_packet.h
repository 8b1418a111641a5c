// SPDX-License-Identifier: Apache-2.0
// Packet sockets: <linux/if_packet.h>, <linux/filter.h> and <linux/ethtool.h>.
#ifndef CLINUX_PACKET_H
#define CLINUX_PACKET_H

#include <stdbool.h>

// Octets of an Ethernet header, which follows the virtio_net_hdr of a frame.
enum { clinux_ethernet_header_size = 14 };

// Types in that header.
enum {
    clinux_ethernet_type_ipv4 = 0x0800,
    clinux_ethernet_type_ipv6 = 0x86dd,
};

// A socket that receives the IPv4 and IPv6 frames that arrive at this interface of the thread's network namespace, each after a
// virtio_net_hdr. Non-blocking, close-on-exec. Needs CAP_NET_RAW.
int clinux_packet_socket(const char *interface);

// The number of an interface of the thread's network namespace; 0 with ENODEV.
int clinux_interface_index(int socket, const char *interface);

// Checks that the descriptor is such a socket: 0, or -1 with ENOTSOCK, EINVAL or another errno.
int clinux_packet_inspect(int descriptor);

// Disables the offloads that a virtio_net_hdr cannot describe, at this interface of the thread's network namespace: the kernel may leave
// to us only the checksums of TCP and UDP, the segmentation of TCP, and that of UDP if `udp_segmentation`.
int clinux_limit_offloads(const char *interface, bool udp_segmentation);

// Whether a packet socket's virtio_net_hdr can describe UDP segmentation. An older kernel loses packets that need it.
bool clinux_packet_knows_udp_segmentation(void);

#endif
