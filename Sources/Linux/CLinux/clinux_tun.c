// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "clinux_tun.h"

#include <errno.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <linux/virtio_net.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <unistd.h>

// In the kernel's headers since Linux 6.2; the running kernel reports whether it supports them.
#ifndef TUN_F_USO4
#define TUN_F_USO4 0x20
#define TUN_F_USO6 0x40
#endif
#ifndef VIRTIO_NET_HDR_GSO_UDP_L4
#define VIRTIO_NET_HDR_GSO_UDP_L4 5
#endif

_Static_assert(sizeof(struct virtio_net_hdr) == clinux_vnet_header_size, "size");
_Static_assert(offsetof(struct virtio_net_hdr, gso_type) == clinux_vnet_gso_type, "gso_type");
_Static_assert(offsetof(struct virtio_net_hdr, hdr_len) == clinux_vnet_header_length, "hdr_len");
_Static_assert(offsetof(struct virtio_net_hdr, gso_size) == clinux_vnet_gso_size, "gso_size");
_Static_assert(offsetof(struct virtio_net_hdr, csum_start) == clinux_vnet_checksum_start, "csum_start");
_Static_assert(offsetof(struct virtio_net_hdr, csum_offset) == clinux_vnet_checksum_offset, "csum_offset");
_Static_assert(VIRTIO_NET_HDR_F_NEEDS_CSUM == clinux_vnet_needs_checksum, "NEEDS_CSUM");
_Static_assert(VIRTIO_NET_HDR_GSO_TCPV4 == clinux_vnet_gso_tcp_ipv4, "GSO_TCPV4");
_Static_assert(VIRTIO_NET_HDR_GSO_TCPV6 == clinux_vnet_gso_tcp_ipv6, "GSO_TCPV6");
_Static_assert(VIRTIO_NET_HDR_GSO_UDP_L4 == clinux_vnet_gso_udp, "GSO_UDP_L4");
_Static_assert(VIRTIO_NET_HDR_GSO_ECN == clinux_vnet_gso_ecn, "GSO_ECN");
_Static_assert(IFNAMSIZ == clinux_interface_name_size, "IFNAMSIZ");

static const short wanted = IFF_TUN | IFF_NO_PI | IFF_VNET_HDR;

int clinux_tun_attach(int descriptor, const char *name) {
    struct ifreq request = {.ifr_flags = wanted};
    if (strlen(name) >= IFNAMSIZ) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(request.ifr_name, name);
    return ioctl(descriptor, TUNSETIFF, &request);
}

int clinux_tun_inspect(int descriptor, char name[clinux_interface_name_size]) {
    // No ioctl on any other file that was passed to us: a driver in user space (CUSE) could block for ever.
    struct stat status;
    if (fstat(descriptor, &status) != 0) return -1;
    if (!S_ISCHR(status.st_mode) || status.st_rdev != makedev(10, 200)) {
        errno = ENOTTY;
        return -1;
    }
    struct ifreq request = {.ifr_flags = 0};
    if (ioctl(descriptor, TUNGETIFF, &request) != 0) return -1;
    // A TAP, or a device with packet information or several queues, would be misread.
    const short relevant = IFF_TUN | IFF_TAP | IFF_NO_PI | IFF_VNET_HDR | IFF_MULTI_QUEUE;
    if ((request.ifr_flags & relevant) != wanted) {
        errno = EINVAL;
        return -1;
    }
    memcpy(name, request.ifr_name, IFNAMSIZ);
    name[IFNAMSIZ - 1] = 0;
    return 0;
}

int clinux_tun_enable_offloads(int descriptor, bool *udp_segmentation) {
    int size = clinux_vnet_header_size;
    if (ioctl(descriptor, TUNSETVNETHDRSZ, &size) != 0) return -1;
    const unsigned long tcp = TUN_F_CSUM | TUN_F_TSO4 | TUN_F_TSO6 | TUN_F_TSO_ECN;
    *udp_segmentation = ioctl(descriptor, TUNSETOFFLOAD, tcp | TUN_F_USO4 | TUN_F_USO6) == 0;
    return *udp_segmentation ? 0 : ioctl(descriptor, TUNSETOFFLOAD, tcp);
}

int clinux_tun_disable_offloads(int descriptor) {
    return ioctl(descriptor, TUNSETOFFLOAD, 0UL);
}

// Since Linux 6.4 a call on a TUN can be non-blocking regardless of its flags.
static atomic_bool waits_by_flags_alone;

ssize_t clinux_tun_read(int descriptor, void *data, size_t size) {
    if (!atomic_load_explicit(&waits_by_flags_alone, memory_order_relaxed)) {
        const struct iovec part = {data, size};
        const ssize_t result = preadv2(descriptor, &part, 1, -1, RWF_NOWAIT);
        if (result >= 0 || errno != EOPNOTSUPP) return result;
        atomic_store_explicit(&waits_by_flags_alone, true, memory_order_relaxed);
    }
    return read(descriptor, data, size);
}

ssize_t clinux_tun_write(int descriptor, const void *data, size_t size) {
    if (!atomic_load_explicit(&waits_by_flags_alone, memory_order_relaxed)) {
        const struct iovec part = {(void *)data, size};
        const ssize_t result = pwritev2(descriptor, &part, 1, -1, RWF_NOWAIT);
        if (result >= 0 || errno != EOPNOTSUPP) return result;
        atomic_store_explicit(&waits_by_flags_alone, true, memory_order_relaxed);
    }
    return write(descriptor, data, size);
}

int clinux_tun_set_persistent(int descriptor, bool persistent) {
    return ioctl(descriptor, TUNSETPERSIST, persistent ? 1UL : 0UL);
}
