// SPDX-License-Identifier: Apache-2.0
// Writing evidence records. No allocation and no stdio: this runs inside a foreign program.
#include "include/record.h"

#include <arpa/inet.h>
#include <string.h>

/// A line under construction. It has room for everything (record.h), and never overflows.
struct line {
    char *text;
    size_t size;
    bool cut;
};

static void put(struct line *line, char character) {
    if (line->size < SYNTHESIS_RECORD_SIZE) {
        line->text[line->size++] = character;
    } else {
        line->cut = true;
    }
}

static void put_plain(struct line *line, const char *text) {
    while (*text != '\0') put(line, *text++);
}

/// - left: the octets that are kept.
static void put_escaped(struct line *line, const char *text, size_t left) {
    static const char digits[] = "0123456789abcdef";
    for (; *text != '\0' && left > 0; text++, left--) {
        unsigned char octet = (unsigned char)*text;
        if (octet > ' ' && octet < 0x7f && octet != '%' && octet != ',') {
            put(line, *text);
        } else {
            put(line, '%');
            put(line, digits[octet >> 4]);
            put(line, digits[octet & 15]);
        }
    }
    if (*text != '\0') line->cut = true;
}

static void put_number(struct line *line, unsigned long value, unsigned base) {
    char digits[24];
    size_t count = 0;
    do {
        digits[count++] = "0123456789abcdef"[value % base];
        value /= base;
    } while (value != 0);
    while (count > 0) put(line, digits[--count]);
}

static void put_key(struct line *line, const char *key) {
    put(line, ' ');
    put_plain(line, key);
    put(line, '=');
}

static void put_string(struct line *line, const char *key, const char *value) {
    if (value == NULL) return;
    put_key(line, key);
    put_escaped(line, value, SYNTHESIS_RECORD_STRING_MAX);
}

static void put_decimal(struct line *line, const char *key, long value) {
    put_key(line, key);
    if (value < 0) put(line, '-');
    put_number(line, value < 0 ? -(unsigned long)value : (unsigned long)value, 10);
}

static void put_hexadecimal(struct line *line, const char *key, unsigned long value) {
    put_key(line, key);
    put_plain(line, "0x");
    put_number(line, value, 16);
}

void synthesis_record_add_answer(struct synthesis_record *record, int family, const void *address) {
    char text[INET6_ADDRSTRLEN];
    record->count++;
    if (inet_ntop(family, address, text, sizeof text) == NULL) return;
    for (size_t i = 0; i < record->answers_kept; i++) {
        if (strcmp(record->answers[i], text) == 0) return;
    }
    if (record->answers_kept == SYNTHESIS_RECORD_ANSWERS_MAX) {
        record->cut = true;
    } else {
        strcpy(record->answers[record->answers_kept++], text);
    }
}

size_t synthesis_record_write(const struct synthesis_record *record, char text[SYNTHESIS_RECORD_SIZE]) {
    struct line line = {.text = text, .cut = record->cut};
    put_plain(&line, "ipv6synth/1");
    put_string(&line, "call", record->call);
    put_decimal(&line, "pid", record->pid);
    put_decimal(&line, "tid", record->tid);
    put_string(&line, "program", record->program);
    put_string(&line, "module", record->module);
    if (record->module != NULL) put_hexadecimal(&line, "offset", record->offset);
    if (record->frames != NULL) {
        put_key(&line, "frames");
        put_escaped(&line, record->frames, SYNTHESIS_RECORD_FRAMES_MAX);
    }
    put_string(&line, "node", record->node);
    put_string(&line, "service", record->service);
    if (record->has_family || record->has_hints) put_decimal(&line, "family", record->family);
    if (record->has_hints) {
        put_decimal(&line, "socktype", record->socktype);
        put_decimal(&line, "protocol", record->protocol);
        put_hexadecimal(&line, "flags", (unsigned)record->flags);
    }
    put_decimal(&line, "result", record->result);
    if (record->answers_kept > 0) {
        put_key(&line, "answers");
        for (size_t i = 0; i < record->answers_kept; i++) {
            if (i > 0) put(&line, ',');
            put_plain(&line, record->answers[i]);
        }
    }
    put_decimal(&line, "count", (long)record->count);
    if (record->has_outcome) {
        put_string(&line, "profile", synthesis_profile_name(record->profile));
        put_string(&line, "why", synthesis_reason_name(record->why));
        put_decimal(&line, "synthesised", (long)record->synthesised);
    }
    // The line is never full here: everything that could be too long was cut before.
    if (line.cut) put_decimal(&line, "cut", 1);
    put_decimal(&line, "lost", (long)record->lost);
    return line.size;
}
