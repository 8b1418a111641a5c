// SPDX-License-Identifier: Apache-2.0
// Reads the lines of resolv.conf, one character at a time from a small buffer: no stdio, no allocation; long lines are cut.
#define _GNU_SOURCE
#include "resolv_conf.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <net/if.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

enum {
    DNS_PORT = 53,
    FILE_MAX = 65536,
    LINE_MAX_LENGTH = 128,
};

/// The name of an interface, or its number (RFC 4007 §11.2).
static uint32_t read_zone(const char *zone) {
    uint32_t index = if_nametoindex(zone);
    if (index != 0) return index;
    for (; *zone >= '0' && *zone <= '9'; zone++) index = index * 10 + (uint32_t)(*zone - '0');
    return index;
}

/// Reads an address, for IPv6 with a zone id. False if it is none.
static bool read_server(char *text, union server_address *server) {
    memset(server, 0, sizeof *server);
    if (inet_pton(AF_INET, text, &server->in.sin_addr) == 1) {
        server->in.sin_family = AF_INET;
        server->in.sin_port = htons(DNS_PORT);
        return true;
    }
    char *zone = strchr(text, '%');
    if (zone != NULL) *zone++ = '\0';
    if (inet_pton(AF_INET6, text, &server->in6.sin6_addr) != 1) return false;
    server->in6.sin6_family = AF_INET6;
    server->in6.sin6_port = htons(DNS_PORT);
    if (zone != NULL) server->in6.sin6_scope_id = read_zone(zone);
    return true;
}

/// The action for each line.
typedef void line_reader(char *line, void *result);

static void read_server_line(char *line, void *result) {
    struct resolv_conf *conf = result;
    static const char keyword[] = "nameserver";
    size_t length = sizeof keyword - 1;
    if (strncmp(line, keyword, length) != 0 || (line[length] != ' ' && line[length] != '\t')) return;
    if (conf->count == RESOLV_CONF_SERVERS_MAX) return;
    char *address = line + length + strspn(line + length, " \t");
    address[strcspn(address, " \t\r#;")] = '\0';
    if (read_server(address, &conf->servers[conf->count])) conf->count++;
}

static void read_lines(int descriptor, line_reader *read_line, void *result) {
    char chunk[256], line[LINE_MAX_LENGTH];
    size_t length = 0;
    ssize_t size;
    for (size_t total = 0; total < FILE_MAX; total += (size_t)size) {
        size = read(descriptor, chunk, sizeof chunk);
        if (size <= 0) break;
        for (ssize_t i = 0; i < size; i++) {
            if (chunk[i] == '\n') {
                line[length] = '\0';
                read_line(line, result);
                length = 0;
            } else if (length < sizeof line - 1) {
                line[length++] = chunk[i];
            }
        }
    }
    line[length] = '\0';
    read_line(line, result);
}

static void read_file(line_reader *read_line, void *result) {
    int descriptor = open("/etc/resolv.conf", O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return;
    read_lines(descriptor, read_line, result);
    close(descriptor);
}

struct told {
    struct pref64_list *prefixes;
    bool is_there;
};

static void read_prefix_line(char *line, void *result) {
    struct told *told = result;
    static const char keyword[] = "# pref64 ";
    if (strncmp(line, keyword, sizeof keyword - 1) != 0) return;
    told->is_there = true;
    struct pref64 prefix;
    if (pref64_parse(line + sizeof keyword - 1, &prefix)) pref64_list_add(told->prefixes, &prefix);
}

bool resolv_conf_prefixes(struct pref64_list *prefixes) {
    struct told told = {.prefixes = prefixes};
    read_file(read_prefix_line, &told);
    return told.is_there;
}

struct resolv_conf resolv_conf_now(void) {
    struct resolv_conf conf = {0};
    read_file(read_server_line, &conf);
    if (conf.count == 0) {
        conf.servers[0].in.sin_family = AF_INET;
        conf.servers[0].in.sin_port = htons(DNS_PORT);
        conf.servers[0].in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        conf.count = 1;
    }
    return conf;
}
