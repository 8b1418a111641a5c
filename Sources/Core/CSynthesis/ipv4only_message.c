// SPDX-License-Identifier: Apache-2.0
// The one DNS exchange that discovery needs (RFC 1035 §4.1), with sizes in bits:
//
//      | id(16) | flags(16) | QDCOUNT ANCOUNT NSCOUNT ARCOUNT (16 each) | question | answer | authority | additional |
//      question: | 8 ipv4only 4 arpa 0 | type(16) | class(16) |
//      record:   | name | type(16) | class(16) | ttl(32) | length(16) | data |
#include "include/ipv4only.h"

#include <string.h>

/// Offsets in a message; `NAME_SIZE` is the length of ipv4only.arpa in it, in octets.
enum { FLAGS = 2, QDCOUNT = 4, ANCOUNT = 6, NSCOUNT = 8, QUESTION = 12, NAME_SIZE = 15 };
enum { TYPE_SOA = 6, TYPE_AAAA = 28, CLASS_IN = 1 };
enum { QR = 0x8000, OPCODE = 0x7800, TC = 0x0200, RD = 0x0100, RCODE = 0x000f, NO_ERROR = 0, NAME_ERROR = 3 };

/// Maximum number of compression pointers in a name: ends loops (RFC 1035 §4.1.4). A name with more is not valid here.
enum { POINTERS_MAX = 16 };

/// TTL in seconds of an answer without addresses that has no SOA record.
enum { DEFAULT_NEGATIVE_TTL = 60 };

static const uint8_t name[NAME_SIZE] = "\10ipv4only\4arpa";

static uint16_t read16(const uint8_t *at) { return (uint16_t)(at[0] << 8 | at[1]); }
static uint32_t read32(const uint8_t *at) { return (uint32_t)read16(at) << 16 | read16(at + 2); }

static uint8_t lower(uint8_t octet) { return octet >= 'A' && octet <= 'Z' ? octet | 0x20 : octet; }

static bool equal_but_for_case(const uint8_t *a, const uint8_t *b, size_t size) {
    for (size_t i = 0; i < size; i++) {
        if (lower(a[i]) != lower(b[i])) return false;
    }
    return true;
}

void ipv4only_query(uint8_t query[IPV4ONLY_QUERY_SIZE], uint16_t id, uint16_t letters) {
    // id, flags, QDCOUNT = 1; the other counts are 0.
    const uint8_t header[QUESTION] = {(uint8_t)(id >> 8), (uint8_t)id, RD >> 8, 0, 0, 1};
    const uint8_t type_and_class[4] = {0, TYPE_AAAA, 0, CLASS_IN};
    memcpy(query, header, sizeof header);
    memcpy(query + QUESTION, name, sizeof name);
    memcpy(query + QUESTION + NAME_SIZE, type_and_class, sizeof type_and_class);
    // Bit i of `letters` makes octet i of the name upper case, if it is a letter.
    for (size_t i = 0; i < NAME_SIZE; i++) {
        uint8_t *octet = &query[QUESTION + i];
        if (*octet >= 'a' && *octet <= 'z' && (letters >> i & 1) != 0) *octet &= (uint8_t)~0x20;
    }
}

struct record {
    bool is_ours;
    uint16_t type;
    uint16_t class;
    uint32_t ttl;
    const uint8_t *data;
    size_t length;
};

/// Skips the name at `offset` and stores whether it is `ipv4only.arpa`. Returns the offset after it, or 0.
static size_t read_name(const uint8_t *message, size_t size, size_t offset, bool *is_ours) {
    // The offset after the first pointer, where the name ends in the message; 0 before any pointer.
    size_t after = 0;
    // Octets of ipv4only.arpa that are equal so far.
    size_t matched = 0;
    *is_ours = true;
    for (int pointers = 0; offset < size;) {
        uint8_t length = message[offset];
        if ((length & 0xc0) == 0xc0) {
            if (offset + 2 > size || ++pointers > POINTERS_MAX) return 0;
            if (after == 0) after = offset + 2;
            offset = read16(&message[offset]) & 0x3fff;
            continue;
        }
        size_t label = (size_t)length + 1;
        if (length > 63 || offset + label > size) return 0;
        if (*is_ours && matched + label <= NAME_SIZE && equal_but_for_case(&message[offset], &name[matched], label)) {
            matched += label;
        } else {
            *is_ours = false;
        }
        offset += label;
        if (length == 0) {
            *is_ours = *is_ours && matched == NAME_SIZE;
            return after != 0 ? after : offset;
        }
    }
    return 0;
}

/// Reads the record at `offset`. Returns the offset after it, or 0.
static size_t read_record(const uint8_t *message, size_t size, size_t offset, struct record *record) {
    enum { TYPE = 0, CLASS = 2, TTL = 4, LENGTH = 8, DATA = 10 };
    size_t fixed = read_name(message, size, offset, &record->is_ours);
    if (fixed == 0 || size - fixed < DATA) return 0;
    record->type = read16(&message[fixed + TYPE]);
    record->class = read16(&message[fixed + CLASS]);
    record->ttl = read32(&message[fixed + TTL]);
    // RFC 2181 §8: a TTL with the highest bit set counts as zero.
    if (record->ttl > INT32_MAX) record->ttl = 0;
    record->length = read16(&message[fixed + LENGTH]);
    record->data = &message[fixed + DATA];
    return record->length > size - fixed - DATA ? 0 : fixed + DATA + record->length;
}

/// Collects the AAAA records of ipv4only.arpa. Returns the offset after the answer section, or 0.
static size_t read_answers(const uint8_t *message, size_t size, struct ipv4only_answer *answer) {
    struct record record;
    size_t offset = QUESTION + NAME_SIZE + 4;
    // Becomes the least TTL of the records below.
    answer->ttl = INT32_MAX;
    for (uint16_t left = read16(&message[ANCOUNT]); left > 0; left--) {
        offset = read_record(message, size, offset, &record);
        if (offset == 0) return 0;
        bool fits = record.is_ours && record.type == TYPE_AAAA && record.class == CLASS_IN && record.length == 16;
        if (!fits || answer->count == IPV4ONLY_ADDRESSES_MAX) continue;
        memcpy(&answer->addresses[answer->count++], record.data, record.length);
        if (record.ttl < answer->ttl) answer->ttl = record.ttl;
    }
    return offset;
}

/// The TTL in seconds of an answer without addresses: the lesser of the SOA record's TTL and its last field, MINIMUM (RFC 2308 §5);
/// `DEFAULT_NEGATIVE_TTL` without an SOA record. `offset` is that of the authority section.
static uint32_t read_negative_ttl(const uint8_t *message, size_t size, size_t offset) {
    struct record record;
    for (uint16_t left = read16(&message[NSCOUNT]); left > 0; left--) {
        offset = read_record(message, size, offset, &record);
        if (offset == 0) break;
        if (record.type != TYPE_SOA || record.class != CLASS_IN || record.length < 4) continue;
        uint32_t minimum = read32(record.data + record.length - 4);
        return minimum < record.ttl ? minimum : record.ttl;
    }
    return DEFAULT_NEGATIVE_TTL;
}

enum ipv4only_reply ipv4only_read(
    const uint8_t *message, size_t size, const uint8_t query[IPV4ONLY_QUERY_SIZE], bool exact,
    struct ipv4only_answer *answer
) {
    answer->count = 0;
    if (size < IPV4ONLY_QUERY_SIZE || memcmp(message, query, 2) != 0) return IPV4ONLY_NOT_OURS;
    uint16_t flags = read16(&message[FLAGS]);
    if ((flags & QR) == 0 || (flags & OPCODE) != 0 || read16(&message[QDCOUNT]) != 1) return IPV4ONLY_NOT_OURS;
    const uint8_t *question = message + QUESTION, *asked = query + QUESTION;
    size_t question_size = IPV4ONLY_QUERY_SIZE - QUESTION;
    if (exact ? memcmp(question, asked, question_size) != 0 : !equal_but_for_case(question, asked, question_size)) {
        return IPV4ONLY_NOT_OURS;
    }

    if ((flags & TC) != 0) return IPV4ONLY_TRUNCATED;
    if ((flags & RCODE) != NO_ERROR && (flags & RCODE) != NAME_ERROR) return IPV4ONLY_FAILED;
    size_t authority = read_answers(message, size, answer);
    if (authority != 0 && answer->count != 0 && (flags & RCODE) == NO_ERROR) return IPV4ONLY_ADDRESSES;
    answer->count = 0;
    if (authority == 0) return IPV4ONLY_FAILED;
    answer->ttl = read_negative_ttl(message, size, authority);
    return IPV4ONLY_NO_ADDRESS;
}
