// SPDX-License-Identifier: Apache-2.0
// The forms of numbers: nodes and services as text.
#include "include/synthesis.h"

#include <arpa/inet.h>
#include <string.h>

/// Reads one number in the forms of inet_aton: decimal, octal after 0, hexadecimal after 0x. Returns the text after it, or NULL.
static const char *classic_number(const char *text, uint64_t *value) {
    unsigned base = 10;
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        base = 16;
        text += 2;
    } else if (text[0] == '0') {
        base = 8;
    }
    const char *start = text;
    for (*value = 0;; text++) {
        unsigned digit;
        if (*text >= '0' && *text <= '9') {
            digit = (unsigned)(*text - '0');
        } else if ((*text | 0x20) >= 'a' && (*text | 0x20) <= 'f') {
            digit = (unsigned)((*text | 0x20) - 'a' + 10);
        } else {
            break;
        }
        if (digit >= base) break;
        *value = *value * base + digit;
        if (*value > UINT32_MAX) return NULL;
    }
    return text == start ? NULL : text;
}

/// One to four numbers between dots; the last one fills the rest of the 32 bits.
static bool is_classic_ipv4(const char *text) {
    for (int part = 1;; part++) {
        uint64_t value;
        text = classic_number(text, &value);
        if (text == NULL) return false;
        if (*text == '\0') return value <= UINT32_MAX >> 8 * (part - 1);
        if (*text != '.' || part == 4 || value > 255) return false;
        text++;
    }
}

bool synthesis_is_numeric_node(const char *node) {
    if (is_classic_ipv4(node)) return true;
    // A zone id follows the address (RFC 4007 §11).
    char address[INET6_ADDRSTRLEN];
    size_t size = strcspn(node, "%");
    if (size >= sizeof address) return false;
    memcpy(address, node, size);
    address[size] = '\0';
    struct in6_addr ignored;
    return inet_pton(AF_INET6, address, &ignored) == 1;
}

bool synthesis_numeric_service(const char *service, uint16_t *port) {
    *port = 0;
    if (service == NULL) return true;
    // Apple reads it with strtol: white space and a plus sign may come first.
    service += strspn(service, " \t\n\v\f\r");
    if (*service == '+') service++;
    if (*service == '\0') return false;
    uint32_t value = 0;
    for (; *service != '\0'; service++) {
        if (*service < '0' || *service > '9') return false;
        value = value * 10 + (uint32_t)(*service - '0');
        if (value > UINT16_MAX) return false;
    }
    *port = (uint16_t)value;
    return true;
}
