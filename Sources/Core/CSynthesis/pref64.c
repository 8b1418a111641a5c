// SPDX-License-Identifier: Apache-2.0
// RFC 6052 §2.2: the position of the four octets of an IPv4 address in an IPv6 address. Octet 8 ("u", bits 64 to 71) is reserved and zero;
// the IPv4 address skips it.
//
//      /96  |                 prefix                | v4(32) |
//      /64  |       prefix          | u |  v4(32)  | suffix  |
//      /56  |    prefix      |v4(8) | u |v4(24)| suffix      |
//      /48  |  prefix  |   v4(16)   | u |v4(16)| suffix      |
//      /40  | prefix |    v4(24)    | u |v4(8) | suffix      |
//      /32  |prefix|     v4(32)     | u |      suffix        |
#include "include/pref64.h"

#include <arpa/inet.h>
#include <string.h>

enum { RESERVED_OCTET = 8 };

const uint8_t pref64_lengths[6] = {96, 64, 56, 48, 40, 32};

struct pref64 pref64_of(const struct in6_addr *address, uint8_t length) {
    struct pref64 prefix = {.length = length};
    memcpy(prefix.address.s6_addr, address->s6_addr, length / 8);
    return prefix;
}

struct in6_addr pref64_embed(const struct pref64 *prefix, struct in_addr ipv4) {
    struct in6_addr address = prefix->address;
    const uint8_t *octets = (const uint8_t *)&ipv4.s_addr;
    size_t place = prefix->length / 8;
    for (size_t i = 0; i < 4; i++, place++) {
        if (place == RESERVED_OCTET) place++;
        address.s6_addr[place] = octets[i];
    }
    return address;
}

struct in_addr pref64_extract(const struct in6_addr *address, uint8_t length) {
    struct in_addr ipv4;
    uint8_t *octets = (uint8_t *)&ipv4.s_addr;
    size_t place = length / 8;
    for (size_t i = 0; i < 4; i++, place++) {
        if (place == RESERVED_OCTET) place++;
        octets[i] = address->s6_addr[place];
    }
    return ipv4;
}

bool pref64_is_well_known(const struct pref64 *prefix) {
    static const struct in6_addr well_known = {.s6_addr = {0x00, 0x64, 0xff, 0x9b}};
    return prefix->length == 96 && memcmp(&prefix->address, &well_known, sizeof well_known) == 0;
}

bool pref64_is_valid(const struct pref64 *prefix) {
    static const struct in6_addr zero;
    const uint8_t *octets = prefix->address.s6_addr;
    bool allowed = false;
    for (size_t i = 0; i < sizeof pref64_lengths; i++) allowed |= prefix->length == pref64_lengths[i];
    if (!allowed || octets[RESERVED_OCTET] != 0) return false;

    // ::/n would cover ::1 and the IPv4-compatible addresses. Only a mistake or an attack has these as a NAT64's prefix.
    if (memcmp(octets, &zero, prefix->length / 8) == 0) return false;
    if (IN6_IS_ADDR_V4MAPPED(&prefix->address)) return false;
    return !IN6_IS_ADDR_MULTICAST(&prefix->address) && !IN6_IS_ADDR_LINKLOCAL(&prefix->address);
}

bool pref64_list_add(struct pref64_list *list, const struct pref64 *prefix) {
    if (list->count == PREF64_MAX || !pref64_is_valid(prefix)) return false;
    for (size_t i = 0; i < list->count; i++) {
        const struct pref64 *known = &list->items[i];
        if (known->length == prefix->length && memcmp(&known->address, &prefix->address, 16) == 0) return false;
    }
    list->items[list->count++] = *prefix;
    return true;
}

/// Reads the prefix in `text[0..<size]`.
static bool parse_slice(const char *text, size_t size, struct pref64 *prefix) {
    char address[INET6_ADDRSTRLEN];
    const char *slash = memchr(text, '/', size);
    if (slash == NULL || (size_t)(slash - text) >= sizeof address) return false;
    memcpy(address, text, slash - text);
    address[slash - text] = '\0';

    // All six lengths have two digits.
    if (text + size - slash != 3 || slash[1] < '0' || slash[1] > '9' || slash[2] < '0' || slash[2] > '9') return false;
    uint8_t length = (uint8_t)((slash[1] - '0') * 10 + (slash[2] - '0'));
    if (length > 96 || inet_pton(AF_INET6, address, &prefix->address) != 1) return false;

    struct pref64 masked = pref64_of(&prefix->address, length);
    if (memcmp(&masked.address, &prefix->address, 16) != 0) return false;
    prefix->length = length;
    return pref64_is_valid(prefix);
}

bool pref64_parse(const char *text, struct pref64 *prefix) { return parse_slice(text, strlen(text), prefix); }

size_t pref64_list_parse(const char *text, struct pref64_list *list) {
    size_t wrong = 0;
    list->count = 0;
    while (*text != '\0') {
        size_t size = strcspn(text, ",");
        struct pref64 prefix;
        if (parse_slice(text, size, &prefix)) {
            pref64_list_add(list, &prefix);
        } else {
            wrong++;
        }
        text += size;
        if (*text == ',') text++;
    }
    return wrong;
}
