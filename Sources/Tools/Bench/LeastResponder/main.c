// SPDX-License-Identifier: Apache-2.0
// LeastResponder PORT COUNT: the smallest DNS server that can answer the questions of scripts/bench, a yardstick for ours. It knows
// n0.bench.test … (OwnNameServer.swift), each with the AAAA record that a DNS64 makes of its A record, from a table made at the start. It
// has no cache, no upstream and no policy, and hardly checks its input.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

enum {
    // Fields of DNS messages.
    header = 12, fixed_question = 4, type_aaaa = 28, name_error = 3,
    longest_name = 40,
    // Slots of the table, a power of two.
    slots = 1 << 15,
    most_names = slots / 2,
    batch = 64,
    longest_message = 2048,
    socket_room = 4 << 20,
};

struct entry {
    uint8_t length;
    uint8_t name[longest_name];
    struct in6_addr address;
};

static struct entry table[slots];

static int checked(int result, const char *call) {
    if (result >= 0) return result;
    fprintf(stderr, "LeastResponder: %s: %s\n", call, strerror(errno));
    exit(1);
}
#define CHECKED(call) checked((int)(call), #call)

/// The slot of a name in wire form, regardless of case; an empty one if it is not in the table.
static inline struct entry *slot(const uint8_t *name, int length) {
    uint32_t hash = 2166136261u;
    for (int index = 0; index < length; index++) hash = (hash ^ (name[index] | 0x20)) * 16777619u;
    for (hash &= slots - 1;; hash = (hash + 1) & (slots - 1)) {
        struct entry *entry = &table[hash];
        if (entry->length == 0) return entry;
        if (entry->length == length && strncasecmp((const char *)entry->name, (const char *)name, length) == 0) return entry;
    }
}

static void fill(int count) {
    static const char rest[] = "\5bench\4test";
    for (int number = 0; number < count; number++) {
        uint8_t name[longest_name];
        const int label = snprintf((char *)name + 1, sizeof name - 1, "n%d", number);
        name[0] = label;
        // Including the root's label, which is the NUL of the text.
        memcpy(name + 1 + label, rest, sizeof rest);
        const int length = 1 + label + sizeof rest;
        struct entry *entry = slot(name, length);
        entry->length = length;
        memcpy(entry->name, name, length);
        inet_pton(AF_INET6, "2001:db8:64::", &entry->address);
        entry->address.s6_addr32[3] = htonl((198u << 24 | 18u << 16) + number);
    }
}

/// Turns the query into its answer, in place. Returns the answer's length; 0 for no answer.
static inline int answer(uint8_t *message, int length) {
    if (length < header + 1 + fixed_question || message[2] & 0x80) return 0;
    int end = header;
    while (end < length && message[end] != 0 && message[end] < 64) end += message[end] + 1;
    if (end + 1 + fixed_question > length || message[end] != 0) return 0;
    const int type = message[end + 1] << 8 | message[end + 2];
    const int has_edns = message[11];
    const struct entry *entry = slot(message + header, end + 1 - header);

    // Flags: a response, recursion desired as asked for, recursion available.
    message[2] = 0x80 | (message[2] & 1);
    message[3] = 0x80;
    memset(message + 6, 0, 6);
    uint8_t *next = message + end + 1 + fixed_question;
    if (entry->length == 0) {
        message[3] |= name_error;
    } else if (type == type_aaaa) {
        // The question's name, AAAA, IN, an hour, 16 octets.
        static const uint8_t record[] = {0xc0, header, 0, type_aaaa, 0, 1, 0, 0, 0x0e, 0x10, 0, 16};
        message[7] = 1;
        memcpy(next, record, sizeof record);
        memcpy(next + sizeof record, &entry->address, sizeof entry->address);
        next += sizeof record + sizeof entry->address;
    }
    if (has_edns) {
        // OPT at the root, 1,232 octets, no options.
        static const uint8_t record[] = {0, 0, 41, 4, 208, 0, 0, 0, 0, 0, 0};
        message[11] = 1;
        memcpy(next, record, sizeof record);
        next += sizeof record;
    }
    return (int)(next - message);
}

static int listen_at(int port) {
    const int server = CHECKED(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    const int octets = socket_room;
    setsockopt(server, SOL_SOCKET, SO_RCVBUF, &octets, sizeof octets);
    setsockopt(server, SOL_SOCKET, SO_SNDBUF, &octets, sizeof octets);
    const struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    CHECKED(bind(server, (const struct sockaddr *)&address, sizeof address));
    return server;
}

/// Reads all waiting queries with one call, and answers them with another.
static void serve(int server) {
    static uint8_t space[batch][longest_message];
    static struct sockaddr_in peers[batch];
    struct iovec vectors[batch];
    struct mmsghdr messages[batch];
    for (;;) {
        for (int index = 0; index < batch; index++) {
            vectors[index] = (struct iovec){space[index], longest_message};
            messages[index] = (struct mmsghdr){
                .msg_hdr = {
                    .msg_iov = &vectors[index], .msg_iovlen = 1, .msg_name = &peers[index], .msg_namelen = sizeof peers[index]}};
        }
        const int count = recvmmsg(server, messages, batch, MSG_WAITFORONE, NULL);
        int answers = 0;
        for (int index = 0; index < count; index++) {
            const int length = answer(space[index], (int)messages[index].msg_len);
            if (length == 0) continue;
            vectors[index].iov_len = length;
            messages[answers++].msg_hdr = messages[index].msg_hdr;
        }
        for (int sent = 0; sent < answers;) {
            const int result = sendmmsg(server, messages + sent, answers - sent, 0);
            if (result < 0) break;
            sent += result;
        }
    }
}

int main(int count, char **words) {
    const int names = count == 3 ? atoi(words[2]) : 0;
    if (names < 1 || names > most_names) {
        fprintf(stderr, "usage: LeastResponder PORT COUNT, up to %d names\n", most_names);
        return 2;
    }
    fill(names);
    serve(listen_at(atoi(words[1])));
}
