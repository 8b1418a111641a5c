// SPDX-License-Identifier: Apache-2.0
// The TUN device: <linux/if_tun.h> and <linux/virtio_net.h>, whose ioctl numbers are macros that Swift cannot import.
#ifndef CLINUX_TUN_H
#define CLINUX_TUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { clinux_interface_name_size = 16 };

// Octets of struct virtio_net_hdr, the header in front of each packet.
enum { clinux_vnet_header_size = 10 };

// Offsets of the fields of struct virtio_net_hdr (legacy layout, host byte order).
enum {
    clinux_vnet_flags = 0,
    clinux_vnet_gso_type = 1,
    clinux_vnet_header_length = 2,
    clinux_vnet_gso_size = 4,
    clinux_vnet_checksum_start = 6,
    clinux_vnet_checksum_offset = 8,
};

// Values of those fields.
enum {
    clinux_vnet_needs_checksum = 1,
    clinux_vnet_gso_none = 0,
    clinux_vnet_gso_tcp_ipv4 = 1,
    clinux_vnet_gso_tcp_ipv6 = 4,
    clinux_vnet_gso_udp = 5,
    clinux_vnet_gso_ecn = 0x80,
};

// Makes an interface of this name (IFF_TUN, IFF_NO_PI, IFF_VNET_HDR) for an open /dev/net/tun.
int clinux_tun_attach(int descriptor, const char *name);

// Checks that the descriptor is an attached TUN with exactly those properties; stores its name in `name`.
// Returns 0 if it is. -1 with EINVAL: it is attached to something else. -1 with another errno: it is no TUN.
int clinux_tun_inspect(int descriptor, char name[clinux_interface_name_size]);

// Sets the header size, and the offloads that this program understands: checksum, TSO for both families with ECN.
// `*udp_segmentation` returns whether the kernel supports UDP segmentation, too (Linux 6.2).
int clinux_tun_enable_offloads(int descriptor, bool *udp_segmentation);

// The kernel then delivers only packets of at most the link's MTU, with their checksums.
int clinux_tun_disable_offloads(int descriptor);

// Non-blocking read() and write(): EAGAIN instead of waiting. Before Linux 6.4 only if the descriptor has O_NONBLOCK.
ssize_t clinux_tun_read(int descriptor, void *data, size_t size);
ssize_t clinux_tun_write(int descriptor, const void *data, size_t size);

// A persistent interface stays when its descriptor is closed, until its network namespace is deleted.
int clinux_tun_set_persistent(int descriptor, bool persistent);

#endif
