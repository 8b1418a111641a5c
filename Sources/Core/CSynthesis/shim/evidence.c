// SPDX-License-Identifier: Apache-2.0
// One datagram per record, on a socket that is opened for it: a permanent descriptor would be inherited by child processes, closed by a
// daemon that closes all descriptors, and counted by a client that checks its descriptors. A record that cannot be sent is lost; the next
// one that is sent contains the number of lost ones.
#define _GNU_SOURCE
#include "evidence.h"
#include "configuration.h"
#include "fingerprint.h"
#include "frames.h"
#include "scratch.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <netdb.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/// Slots of the table of calls that have been seen. A new call is counted as lost if the eight slots that it may use are taken.
enum { SEEN_MAX = 512 };

static _Atomic unsigned long lost;
static _Atomic uint64_t seen[SEEN_MAX];

bool evidence_wanted(void) { return configuration()->sends_evidence; }

bool evidence_is_new(const char *call, const char *node, const void *return_address) {
    pid_t pid = getpid();
    uint64_t hash = fingerprint_add(FINGERPRINT_SEED, &pid, sizeof pid);
    hash = fingerprint_add(hash, &return_address, sizeof return_address);
    hash = fingerprint_add(hash, call, strlen(call) + 1);
    // Never 0, which marks a free slot.
    hash = fingerprint_add(hash, node, strnlen(node, SYNTHESIS_RECORD_STRING_MAX)) | 1;
    for (size_t probe = 0; probe < 8; probe++) {
        _Atomic uint64_t *place = &seen[(hash + probe) % SEEN_MAX];
        uint64_t found = 0;
        if (atomic_compare_exchange_strong(place, &found, hash)) return true;
        if (found == hash) return false;
    }
    atomic_fetch_add(&lost, 1);
    return false;
}

void evidence_of_interfaces(void) {
    struct synthesis_record record = {.call = "getifaddrs"};
    if (evidence_wanted() && evidence_is_new(record.call, "", NULL)) evidence_send(&record, NULL);
}

/// Tools that ask the kernel for the machine's addresses and routes by themselves.
__attribute__((constructor)) static void tell_of_tool(void) {
    static const char *const tools[] = {"ip", "ifconfig", "route", "netstat"};
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
        if (strcmp(program_invocation_short_name, tools[i]) == 0) evidence_of_interfaces();
}

static const char *last_part(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/// The last part of the executable's path, which is read into `path`; the name by which it was called if /proc is not mounted.
static const char *program_name(char path[PATH_MAX]) {
    ssize_t size = readlink("/proc/self/exe", path, PATH_MAX - 1);
    if (size < 0) return program_invocation_short_name;
    path[size] = '\0';
    return last_part(path);
}

static bool send_line(const char *line, size_t size) {
    const struct configuration *settings = configuration();
    int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor < 0) return false;
    ssize_t sent = sendto(
        descriptor, line, size, MSG_DONTWAIT | MSG_NOSIGNAL, (const struct sockaddr *)&settings->evidence,
        settings->evidence_size
    );
    close(descriptor);
    return sent == (ssize_t)size;
}

/// Data that is too large for the stack.
struct workspace {
    char path[PATH_MAX];
    char line[SYNTHESIS_RECORD_SIZE];
    struct frames_text frames;
};

/// A hash that identifies a look-up, for `frames_write`: of its arguments, its result and its return address.
static uint64_t lookup_call(const struct synthesis_record *record, const void *return_address) {
    struct {
        const void *return_address;
        int has_hints, family, socktype, protocol, flags, result;
    } call = {return_address, record->has_hints, record->family, record->socktype, record->protocol, record->flags,
              record->result};
    uint64_t fingerprint = frames_call(record->call, &call, sizeof call);
    for (int i = 0; i < 2; i++) {
        const char *text = i == 0 ? record->node : record->service;
        if (text != NULL) fingerprint = fingerprint_add(fingerprint, text, strnlen(text, SYNTHESIS_RECORD_STRING_MAX));
    }
    // Never 0, which means no call (frames.h).
    return fingerprint | 1;
}

static bool write_and_send(struct synthesis_record *record, const void *return_address) {
    struct workspace *workspace = scratch_take(sizeof *workspace);
    if (workspace == NULL) return false;
    Dl_info caller;
    record->pid = getpid();
    record->tid = (pid_t)syscall(SYS_gettid);
    record->program = program_name(workspace->path);
    if (return_address != NULL && dladdr(return_address, &caller) != 0 && caller.dli_fname != NULL) {
        record->module = caller.dli_fname;
        record->offset = (size_t)((const char *)return_address - (const char *)caller.dli_fbase);
    }
    // Python looks up no name, too, where it binds a socket.
    bool asks_for_host = strncmp(record->call, "get", 3) == 0 && record->node != NULL && *record->node != '\0';
    if (return_address != NULL && frames_wanted()
        && frames_write(lookup_call(record, return_address), asks_for_host, &workspace->frames))
        record->frames = workspace->frames.text;
    size_t size = synthesis_record_write(record, workspace->line);
    bool is_sent = send_line(workspace->line, size);
    scratch_give_back(workspace, sizeof *workspace);
    return is_sent;
}

void evidence_send(struct synthesis_record *record, const void *return_address) {
    int saved_errno = errno, saved_h_errno = h_errno;
    record->lost = atomic_exchange(&lost, 0);
    if (!write_and_send(record, return_address)) atomic_fetch_add(&lost, record->lost + 1);
    errno = saved_errno;
    h_errno = saved_h_errno;
}
