// SPDX-License-Identifier: Apache-2.0
/// The evidence that the shim sends: one datagram for each call, one line of text in each datagram.
///
///     ipv6synth/1 call=getaddrinfo pid=812 tid=812 program=curl module=/usr/lib/x86_64-linux-gnu/libcurl.so.4
///         offset=0x2f1c0 node=198.51.100.10 service=80 family=0 socktype=1 protocol=0 flags=0x20 result=0
///         answers=64:ff9b::c633:640a count=1 profile=apple why=literal synthesised=1 lost=0
///
/// (broken here to fit). The first word names the format and its version; then come `key=value` words, separated by one
/// space. A reader skips keys that it does not know. Octets of a value that are not printable ASCII, and `%`, space and
/// `,`, are written as `%` and two hexadecimal digits. A missing key is a NULL argument; an empty value is an empty
/// string.
///
/// Keys and values:
///
/// - `call`: the function: getaddrinfo, gethostbyname, gethostbyname_r, gethostbyname2, gethostbyname2_r, inet_addr, inet_aton, inet_ntoa;
///   inet_pton, only of an IPv6 address that was read as an IPv4 one (shim/refused_texts.h); inet_ntop, only where it had no room for one;
///   connect, only for a connection of URL loading to a literal (shim/url_loading.h); connect_unix, for a connection to a Unix socket with
///   a path; getifaddrs, also for SIOCGIFCONF; execve, for any function that starts a program
/// - `pid`, `tid`: process and thread, as numbered in the client's own PID namespace
/// - `program`: last part of /proc/self/exe
/// - `module`, `offset`: the object that made the call, by its name in the dynamic loader (the program itself: the name it was called by),
///   and the offset of the return address in it
/// - `frames`: the stack of an interpreted program (shim/frames.h): lines of file, line and function, separated by tabs, the innermost
///   first; only for the first such calls of a process, and only if frames are wanted
/// - `node`: the name or literal; for inet_ntoa the text that it made, for inet_ntop the one that it should have made; for connect the
///   address; for connect_unix the path; for execve the program's absolute path
/// - `service`: getaddrinfo's; for connect the port
/// - `family`, `socktype`, `protocol`, `flags`: the hints, all four or none (NULL hints); gethostbyname2 has `family`
/// - `result`: getaddrinfo: 0 or an EAI code; gethostbyname and its variants: 0 or an h_errno; inet_addr, inet_aton, inet_pton: 1 or 0;
///   inet_ntop, connect, connect_unix, getifaddrs: 0; execve: 1 if the new program's environment still preloads the shim, else 0
/// - `answers`: the addresses returned, or connected to in place of the literal, in order, separated by commas, without duplicates,
///   `SYNTHESIS_RECORD_ANSWERS_MAX` at most
/// - `count`: the number of entries returned, duplicates included
/// - `profile`, `why`, `synthesised`: getaddrinfo, connect: the profile, the outcome (`synthesis_reason_name`), the number of entries with
///   a synthesised address
/// - `cut`: 1 if a string or the answers were too long and are cut
/// - `lost`: records that could not be sent since the last that was, or were left out because there were too many
#ifndef CSYNTHESIS_RECORD_H
#define CSYNTHESIS_RECORD_H

#include "synthesis.h"

#include <sys/types.h>

enum {
    /// Octets of a string that are kept.
    SYNTHESIS_RECORD_STRING_MAX = 255,
    SYNTHESIS_RECORD_FRAMES_MAX = 3899,
    SYNTHESIS_RECORD_ANSWERS_MAX = 16,
    /// Room for program, module, node, service and frames with every octet escaped, for all answers, and for the rest.
    SYNTHESIS_RECORD_SIZE = 4 * 3 * SYNTHESIS_RECORD_STRING_MAX + 3 * SYNTHESIS_RECORD_FRAMES_MAX
                            + SYNTHESIS_RECORD_ANSWERS_MAX * INET6_ADDRSTRLEN + 1024,
};

struct synthesis_record {
    const char *call;
    pid_t pid;
    pid_t tid;
    const char *program;
    const char *module;
    size_t offset;
    const char *frames;
    const char *node;
    const char *service;
    bool has_family;
    bool has_hints;
    int family;
    int socktype;
    int protocol;
    int flags;
    int result;
    /// The first `answers_kept` answers as text.
    char answers[SYNTHESIS_RECORD_ANSWERS_MAX][INET6_ADDRSTRLEN];
    size_t answers_kept;
    unsigned count;
    /// False for calls that no profile changes.
    bool has_outcome;
    enum synthesis_profile profile;
    enum synthesis_reason why;
    unsigned synthesised;
    bool cut;
    unsigned long lost;
};

/// Counts an answer, and keeps its text unless it repeats one or there are too many.
void synthesis_record_add_answer(struct synthesis_record *record, int family, const void *address);

/// Writes the line, without an end of line or a NUL. Returns its length, at most `SYNTHESIS_RECORD_SIZE`.
size_t synthesis_record_write(const struct synthesis_record *record, char line[SYNTHESIS_RECORD_SIZE]);

#endif
