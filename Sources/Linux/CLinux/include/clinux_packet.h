// SPDX-License-Identifier: Apache-2.0
// Packet sockets: <linux/if_packet.h>, <linux/filter.h> and <linux/ethtool.h>.
#ifndef CLINUX_PACKET_H
#define CLINUX_PACKET_H

#include <stdbool.h>

// Octets of an Ethernet header, which a frame begins with behind the virtio_net_hdr.
enum { clinux_ethernet_header_size = 14 };

// Types in that header.
enum {
    clinux_ethernet_type_ipv4 = 0x0800,
    clinux_ethernet_type_ipv6 = 0x86dd,
};

// A socket of the frames that arrive at this interface of the thread's network namespace and hold IPv4 or IPv6, each
// behind a virtio_net_hdr. Non-blocking, close-on-exec. Takes CAP_NET_RAW.
int clinux_packet_socket(const char *interface);

// The number of an interface of the thread's network namespace; 0 with ENODEV.
int clinux_interface_index(int socket, const char *interface);

// Tells whether the descriptor is such a socket: 0, or -1 with ENOTSOCK, EINVAL or another errno.
int clinux_packet_inspect(int descriptor);

// Has the kernel do itself, at this interface of the thread's network namespace, what a virtio_net_hdr cannot tell: it may leave
// to us the checksum of TCP and UDP, and the segmentation of TCP, and of UDP where `udp_segmentation`.
int clinux_limit_offloads(const char *interface, bool udp_segmentation);

// Whether a packet socket's virtio_net_hdr can tell of UDP segmentation. An older kernel, asked for such a packet, loses it.
bool clinux_packet_knows_udp_segmentation(void);

#endif
