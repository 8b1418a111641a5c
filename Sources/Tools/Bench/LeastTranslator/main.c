// SPDX-License-Identifier: Apache-2.0
// LeastTranslator plain|joined NAMESPACE CLIENT-TUN WORLD-TUN CLIENT POOL: the smallest NAT64 between two existing TUNs, a yardstick of
// scripts/bench for ours. One client, the well-known prefix, TCP and UDP; no sessions, no checks, no counters and no ICMP errors.
//
//   plain     a thread for each direction: one read and one write for each packet
//   joined    one thread, which reads until the TUN is empty, and writes the datagrams of a flow as one super-packet
//
//   NAMESPACE    the file of the client's network namespace; the world is the namespace in which this process is started
//   CLIENT       the client's IPv6 address
//   POOL         the IPv4 address that replaces the client's in the world
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <linux/virtio_net.h>
#include <net/if.h>
#include <netinet/ip.h>
#include <netinet/ip6.h>
#include <netinet/udp.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <unistd.h>

// Linux 6.2.
#ifndef TUN_F_USO4
#define TUN_F_USO4 0x20
#define TUN_F_USO6 0x40
#endif
#ifndef VIRTIO_NET_HDR_GSO_UDP_L4
#define VIRTIO_NET_HDR_GSO_UDP_L4 5
#endif

enum {
    offload_length = sizeof(struct virtio_net_hdr),
    // Aligns the IP header, after the TUN's, and leaves room to replace an IPv4 header by an IPv6 header.
    headroom = 66,
    room = 70000,
    // Maximum packets of one direction before the other's turn.
    turn = 64,
    most_joined = 64,
    longest_train = 65000,
    tcp_checksum = 16,
    udp_checksum = 6,
    traffic_class_shift = 20,
};

static struct in6_addr client, prefix;
static in_addr_t pool;

static int checked(int result, const char *call) {
    if (result >= 0) return result;
    fprintf(stderr, "LeastTranslator: %s: %s\n", call, strerror(errno));
    exit(1);
}
#define CHECKED(call) checked((int)(call), #call)

// MARK: - Checksums

typedef uint16_t __attribute__((may_alias)) word;

static inline uint16_t fold(uint64_t sum) {
    while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
    return (uint16_t)sum;
}

/// The sum of an even number of octets, not folded.
static inline uint64_t sum(const void *octets, int length) {
    const word *words = octets;
    uint64_t result = 0;
    for (int index = 0; index < length / 2; index++) result += words[index];
    return result;
}

// MARK: - Translation

struct packet {
    struct virtio_net_hdr offload;
    uint8_t *octets;
    int length;
};

/// Adapts the checksum of TCP or UDP to other addresses.
/// False for another protocol, and for a datagram without a checksum.
static inline bool adjust(struct packet *packet, uint8_t *segment, int protocol, uint64_t old, uint64_t new) {
    if (protocol != IPPROTO_TCP && protocol != IPPROTO_UDP) return false;
    word *checksum = (word *)(segment + (protocol == IPPROTO_TCP ? tcp_checksum : udp_checksum));
    const uint16_t less = ~fold(old);
    if (packet->offload.flags & VIRTIO_NET_HDR_F_NEEDS_CSUM) {
        // The field contains the pseudo-header's sum, not complemented.
        *checksum = fold(*checksum + new + less);
        return true;
    }
    if (protocol == IPPROTO_UDP && *checksum == 0) return false;
    *checksum = ~fold((uint16_t)~*checksum + new + less);
    return true;
}

/// The header before the segment has grown by `length` octets.
static inline void shift(struct virtio_net_hdr *offload, int length) {
    if (offload->flags & VIRTIO_NET_HDR_F_NEEDS_CSUM) offload->csum_start += length;
    if (offload->gso_type == VIRTIO_NET_HDR_GSO_NONE) return;
    offload->hdr_len += length;
    // Super-packets of UDP have the same type for both families.
    const int mark = offload->gso_type & VIRTIO_NET_HDR_GSO_ECN, type = offload->gso_type & ~VIRTIO_NET_HDR_GSO_ECN;
    if (type == VIRTIO_NET_HDR_GSO_UDP_L4) return;
    offload->gso_type = mark | (length < 0 ? VIRTIO_NET_HDR_GSO_TCPV4 : VIRTIO_NET_HDR_GSO_TCPV6);
}

static inline bool to_ipv4(struct packet *packet) {
    struct ip6_hdr old;
    if (packet->length < (int)(sizeof old + sizeof(struct udphdr))) return false;
    memcpy(&old, packet->octets, sizeof old);
    if (memcmp(&old.ip6_dst, &prefix, 12) != 0) return false;
    uint8_t *segment = packet->octets + sizeof old;
    const int length = packet->length - (int)sizeof old;
    struct iphdr new = {
        .version = 4, .ihl = 5, .tot_len = htons(sizeof new + length), .frag_off = htons(IP_DF), .ttl = old.ip6_hops - 1,
        .protocol = old.ip6_nxt, .saddr = pool, .daddr = old.ip6_dst.s6_addr32[3]};
    const uint64_t addresses = sum(&old.ip6_src, 32);
    if (!adjust(packet, segment, old.ip6_nxt, addresses, sum(&new.saddr, 8))) return false;
    new.check = ~fold(sum(&new, sizeof new));
    packet->octets = segment - sizeof new;
    packet->length = length + (int)sizeof new;
    memcpy(packet->octets, &new, sizeof new);
    shift(&packet->offload, (int)sizeof new - (int)sizeof old);
    return true;
}

static inline bool to_ipv6(struct packet *packet) {
    struct iphdr old;
    if (packet->length < (int)(sizeof old + sizeof(struct udphdr))) return false;
    memcpy(&old, packet->octets, sizeof old);
    if (old.daddr != pool) return false;
    const int header = old.ihl * 4, length = packet->length - header;
    uint8_t *segment = packet->octets + header;
    struct ip6_hdr new = {.ip6_src = prefix, .ip6_dst = client};
    new.ip6_flow = htonl((uint32_t)6 << 28 | (uint32_t)old.tos << traffic_class_shift);
    new.ip6_plen = htons(length);
    new.ip6_nxt = old.protocol;
    new.ip6_hops = old.ttl - 1;
    new.ip6_src.s6_addr32[3] = old.saddr;
    if (!adjust(packet, segment, old.protocol, sum(&old.saddr, 8), sum(&new.ip6_src, 32))) return false;
    packet->octets = segment - sizeof new;
    packet->length = length + (int)sizeof new;
    memcpy(packet->octets, &new, sizeof new);
    shift(&packet->offload, (int)sizeof new - header);
    return true;
}

/// Translates a packet that `read` has put into the buffer, in place.
static inline bool translate(uint8_t *buffer, long count, struct packet *packet) {
    memcpy(&packet->offload, buffer + headroom, offload_length);
    packet->octets = buffer + headroom + offload_length;
    packet->length = (int)count - offload_length;
    switch (packet->octets[0] >> 4) {
        case 4: return to_ipv6(packet);
        case 6: return to_ipv4(packet);
        default: return false;
    }
}

/// Writes a packet; it is lost if the queue is full, as on any network.
static inline void emit(const struct packet *packet, int tun) {
    memcpy(packet->octets - offload_length, &packet->offload, offload_length);
    if (write(tun, packet->octets - offload_length, packet->length + offload_length) < 0) return;
}

// MARK: - Plain

struct direction {
    int from, to;
};

static void *relay(void *argument) {
    const struct direction *direction = argument;
    static __thread _Alignas(8) uint8_t buffer[room];
    long count;
    while ((count = read(direction->from, buffer + headroom, room - headroom)) > 0) {
        struct packet packet;
        if (translate(buffer, count, &packet)) emit(&packet, direction->to);
    }
    return argument;
}

static void run_plain(struct direction directions[2]) {
    pthread_t thread;
    errno = pthread_create(&thread, NULL, relay, &directions[1]);
    if (errno != 0) checked(-1, "pthread_create");
    relay(&directions[0]);
}

// MARK: - Joined

/// Datagrams of one flow, collected for one write; empty if `count` is 0.
struct train {
    struct packet packet;
    int header, payload, count;
};

static inline int header_length(const struct packet *packet) {
    return packet->octets[0] >> 4 == 6 ? (int)sizeof(struct ip6_hdr) : (int)sizeof(struct iphdr);
}

static inline int protocol(const struct packet *packet) {
    return packet->octets[0] >> 4 == 6 ? ((struct ip6_hdr *)packet->octets)->ip6_nxt : ((struct iphdr *)packet->octets)->protocol;
}

/// A datagram of a local sender with a partial checksum: there is nothing to verify.
static inline bool may_join(const struct packet *packet) {
    return protocol(packet) == IPPROTO_UDP && packet->offload.gso_type == VIRTIO_NET_HDR_GSO_NONE
        && (packet->offload.flags & VIRTIO_NET_HDR_F_NEEDS_CSUM)
        && packet->length > header_length(packet) + (int)sizeof(struct udphdr);
}

static inline bool is_next(const struct train *train, const struct packet *packet) {
    const uint8_t *first = train->packet.octets, *next = packet->octets;
    if (train->count == 0 || train->count == most_joined || train->packet.length + train->payload > longest_train
        || header_length(packet) != train->header
        || packet->length != train->header + (int)sizeof(struct udphdr) + train->payload)
        return false;
    if (train->header == (int)sizeof(struct ip6_hdr)) {
        const struct ip6_hdr *one = (const struct ip6_hdr *)first, *other = (const struct ip6_hdr *)next;
        // The ports follow the addresses.
        return one->ip6_flow == other->ip6_flow && one->ip6_hops == other->ip6_hops
            && memcmp(&one->ip6_src, &other->ip6_src, 32 + 4) == 0;
    }
    const struct iphdr *one = (const struct iphdr *)first, *other = (const struct iphdr *)next;
    return one->tos == other->tos && one->ttl == other->ttl && memcmp(&one->saddr, &other->saddr, 8 + 4) == 0;
}

/// Gives a train the headers of one long datagram, which the kernel segments if necessary.
static void complete(struct train *train) {
    struct packet *packet = &train->packet;
    struct udphdr *udp = (struct udphdr *)(packet->octets + train->header);
    const int length = packet->length - train->header;
    uint64_t pseudo_header = htons(IPPROTO_UDP) + htons(length);
    if (train->header == (int)sizeof(struct ip6_hdr)) {
        struct ip6_hdr *ip = (struct ip6_hdr *)packet->octets;
        ip->ip6_plen = htons(length);
        pseudo_header += sum(&ip->ip6_src, 32);
    } else {
        struct iphdr *ip = (struct iphdr *)packet->octets;
        ip->tot_len = htons(packet->length);
        ip->check = 0;
        ip->check = ~fold(sum(ip, sizeof *ip));
        pseudo_header += sum(&ip->saddr, 8);
    }
    udp->len = htons(length);
    udp->check = fold(pseudo_header);
    packet->offload = (struct virtio_net_hdr){
        .flags = VIRTIO_NET_HDR_F_NEEDS_CSUM, .csum_start = train->header, .csum_offset = udp_checksum,
        .gso_type = VIRTIO_NET_HDR_GSO_UDP_L4, .gso_size = train->payload, .hdr_len = train->header + (int)sizeof *udp};
}

static inline void flush(struct train *train, int tun) {
    if (train->count > 1) complete(train);
    if (train->count > 0) emit(&train->packet, tun);
    train->count = 0;
}

/// Reads until the TUN is empty or the turn is over, and then writes the train, without a delay.
static void drain(const struct direction *direction, uint8_t buffers[2][room]) {
    struct train train = {.count = 0};
    // The train's first datagram stays in its buffer, and the next one is read into the other.
    int current = 0;
    for (int number = 0; number < turn; number++) {
        const long count = read(direction->from, buffers[current] + headroom, room - headroom);
        if (count <= 0) break;
        struct packet packet;
        if (!translate(buffers[current], count, &packet)) continue;
        if (!may_join(&packet)) {
            flush(&train, direction->to);
            emit(&packet, direction->to);
        } else if (is_next(&train, &packet)) {
            memcpy(train.packet.octets + train.packet.length, packet.octets + packet.length - train.payload, train.payload);
            train.packet.length += train.payload;
            train.count++;
        } else {
            flush(&train, direction->to);
            const int header = header_length(&packet);
            train = (struct train){packet, header, packet.length - header - (int)sizeof(struct udphdr), 1};
            current = !current;
        }
    }
    flush(&train, direction->to);
}

static void run_joined(struct direction directions[2]) {
    static _Alignas(8) uint8_t buffers[2][room];
    const int readable = CHECKED(epoll_create1(EPOLL_CLOEXEC));
    for (int side = 0; side < 2; side++) {
        struct epoll_event event = {.events = EPOLLIN, .data.u32 = side};
        CHECKED(epoll_ctl(readable, EPOLL_CTL_ADD, directions[side].from, &event));
    }
    for (;;) {
        struct epoll_event events[2];
        const int count = epoll_wait(readable, events, 2, -1);
        for (int index = 0; index < count; index++) drain(&directions[events[index].data.u32], buffers);
    }
}

// MARK: - The TUNs

static int open_tun(const char *name, int flags) {
    const int tun = CHECKED(open("/dev/net/tun", O_RDWR | O_CLOEXEC | flags));
    struct ifreq request = {.ifr_flags = IFF_TUN | IFF_NO_PI | IFF_VNET_HDR};
    strncpy(request.ifr_name, name, sizeof request.ifr_name - 1);
    CHECKED(ioctl(tun, TUNSETIFF, &request));
    const unsigned offloads = TUN_F_CSUM | TUN_F_TSO4 | TUN_F_TSO6 | TUN_F_TSO_ECN;
    if (ioctl(tun, TUNSETOFFLOAD, offloads | TUN_F_USO4 | TUN_F_USO6) < 0) CHECKED(ioctl(tun, TUNSETOFFLOAD, offloads));
    return tun;
}

int main(int count, char **words) {
    const bool joins = count == 7 && strcmp(words[1], "joined") == 0;
    if (count != 7 || !(joins || strcmp(words[1], "plain") == 0) || inet_pton(AF_INET6, words[5], &client) != 1
        || inet_pton(AF_INET, words[6], &pool) != 1) {
        fputs("usage: LeastTranslator plain|joined NAMESPACE CLIENT-TUN WORLD-TUN CLIENT POOL\n", stderr);
        return 2;
    }
    inet_pton(AF_INET6, "64:ff9b::", &prefix);
    const int flags = joins ? O_NONBLOCK : 0;
    const int world = open_tun(words[4], flags);
    const int namespace = CHECKED(open(words[2], O_RDONLY | O_CLOEXEC));
    CHECKED(setns(namespace, CLONE_NEWNET));
    const int near = open_tun(words[3], flags);
    puts("ready");
    fflush(stdout);
    struct direction directions[2] = {{near, world}, {world, near}};
    if (joins) run_joined(directions);
    run_plain(directions);
    return checked(-1, "read");
}
