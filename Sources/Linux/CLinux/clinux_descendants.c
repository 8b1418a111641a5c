// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "clinux_descendants.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

bool clinux_reap(void) {
    for (;;) {
        const pid_t ended = waitpid(-1, NULL, WNOHANG);
        if (ended == 0) return true;
        if (ended < 0 && errno != EINTR) return false;
    }
}

static int64_t now_in_milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000) + now.tv_nsec / 1000000;
}

void clinux_take_output(struct clinux_output *output) {
    char octets[4096];
    for (;;) {
        const ssize_t length = read(output->pipe, octets, sizeof octets);
        if (length < 0 && errno == EINTR) continue;
        if (length < 0 && errno == EAGAIN) return;
        if (length <= 0) break;
        struct stat log;
        const off_t room = fstat(output->log, &log) == 0 ? clinux_server_log_limit - log.st_size : 0;
        const size_t kept = room <= 0 ? 0 : room < length ? (size_t)room : (size_t)length;
        // Output beyond the limit is read and discarded, so that its writer does not block.
        if (kept > 0 && write(output->log, octets, kept) < 0) continue;
    }
    close(output->pipe);
    output->pipe = -1;
}

// Waits for the next child to end, and reads output meanwhile.
static void await_death(const struct clinux_family *family, int milliseconds) {
    struct pollfd sources[2] = {
        {.fd = family->child_signals, .events = POLLIN},
        {.fd = family->output ? family->output->pipe : -1, .events = POLLIN},
    };
    if (poll(sources, 2, milliseconds) <= 0) return;
    if (sources[1].revents) clinux_take_output(family->output);
    if (!sources[0].revents) return;
    struct signalfd_siginfo information;
    while (read(family->child_signals, &information, sizeof information) > 0) {}
}

bool clinux_await_descendants(const struct clinux_family *family, int milliseconds) {
    const int64_t deadline = now_in_milliseconds() + milliseconds;
    while (clinux_reap()) {
        const int64_t remaining = deadline - now_in_milliseconds();
        if (remaining <= 0) return true;
        await_death(family, (int)remaining);
    }
    return false;
}

// MARK: - Children from /proc

typedef void visitor(const struct clinux_family *family, pid_t process, void *context);

// The children that a thread of a process has started. The kernel lists them if CONFIG_PROC_CHILDREN is set, as in distributions.
static void for_each_child_of(
    const struct clinux_family *family, pid_t process, pid_t thread, visitor *visit, void *context
) {
    char path[64], text[1024];
    snprintf(path, sizeof path, "%d/task/%d/children", (int)process, (int)thread);
    const int list = openat(family->proc, path, O_RDONLY | O_CLOEXEC);
    if (list < 0) return;
    pid_t child = 0;
    for (ssize_t length; (length = read(list, text, sizeof text)) > 0;) {
        for (ssize_t i = 0; i < length; i++) {
            if (text[i] >= '0' && text[i] <= '9') {
                child = child * 10 + (text[i] - '0');
            } else if (child > 0) {
                visit(family, child, context);
                child = 0;
            }
        }
    }
    close(list);
}

static void for_each_child(const struct clinux_family *family, visitor *visit, void *context) {
    for_each_child_of(family, getpid(), getpid(), visit, context);
}

// The system call's own record: readdir would allocate.
struct folder_entry {
    uint64_t inode;
    int64_t offset;
    unsigned short size;
    unsigned char type;
    char name[];
};

// The names in a folder that are numbers.
static void for_each_number(const struct clinux_family *family, int folder, visitor *visit, void *context) {
    _Alignas(struct folder_entry) char entries[4096];
    if (lseek(folder, 0, SEEK_SET) < 0) return;
    for (long length; (length = syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0;) {
        for (long at = 0; at < length;) {
            const struct folder_entry *entry = (const struct folder_entry *)(entries + at);
            at += entry->size;
            const pid_t number = atoi(entry->name);
            if (number > 1) visit(family, number, context);
        }
    }
}

static void for_each_process(const struct clinux_family *family, visitor *visit, void *context) {
    for_each_number(family, family->proc, visit, context);
}

// MARK: - Names

struct listing {
    struct clinux_survivors *survivors;
    // In milliseconds; processes that are reached later are only counted.
    int64_t deadline;
};

static void note(const struct clinux_family *family, pid_t process, void *context) {
    const struct listing *listing = context;
    struct clinux_survivors *survivors = listing->survivors;
    if (now_in_milliseconds() > listing->deadline) {
        survivors->more++;
        return;
    }
    char path[32], status[256];
    snprintf(path, sizeof path, "%d/stat", (int)process);
    const int file = openat(family->proc, path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    const ssize_t length = read(file, status, sizeof status - 1);
    close(file);
    if (length <= 0) return;
    status[length] = 0;
    // "7 (sleep) S 1 …"; the name may contain parentheses and spaces.
    const char *name = strchr(status, '('), *end = strrchr(status, ')');
    if (!name || !end || end < name) return;
    // A zombie only waits for its parent.
    if (end[1] == ' ' && (end[2] == 'Z' || end[2] == 'X')) return;
    if (survivors->count == clinux_survivor_limit) {
        survivors->more++;
        return;
    }
    struct clinux_survivor *survivor = &survivors->list[survivors->count++];
    survivor->process = process;
    size_t size = end - name - 1;
    if (size > sizeof survivor->name) size = sizeof survivor->name;
    memcpy(survivor->name, name + 1, size);
}

void clinux_list_descendants(const struct clinux_family *family, struct clinux_survivors *survivors) {
    enum { time_limit_in_milliseconds = 100 };
    *survivors = (struct clinux_survivors){.kind = clinux_message_survivors};
    struct listing listing = {survivors, now_in_milliseconds() + time_limit_in_milliseconds};
    // They are about to be killed, and hundreds that keep forking would make listing them take seconds.
    if (family->is_init) kill(-1, SIGSTOP);
    (family->is_init ? for_each_process : for_each_child)(family, note, &listing);
}

// MARK: - The end

enum { generation_limit = 2048 };

// Descendants in the order in which they are found: each after its parent.
struct descendants {
    pid_t list[generation_limit];
    size_t count;
    // The process whose children are being added.
    pid_t parent;
};

static void add_descendant(const struct clinux_family *family, pid_t process, void *context) {
    (void)family;
    struct descendants *found = context;
    if (found->count < generation_limit) found->list[found->count++] = process;
}

static void add_children_of_thread(const struct clinux_family *family, pid_t thread, void *context) {
    struct descendants *found = context;
    for_each_child_of(family, found->parent, thread, add_descendant, found);
}

void clinux_terminate_descendants(const struct clinux_family *family) {
    struct descendants found = {.count = 0};
    for_each_child(family, add_descendant, &found);
    for (size_t i = 0; i < found.count; i++) {
        char path[32];
        snprintf(path, sizeof path, "%d/task", (int)found.list[i]);
        const int threads = openat(family->proc, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (threads < 0) continue;
        found.parent = found.list[i];
        for_each_number(family, threads, add_children_of_thread, &found);
        close(threads);
    }
    // Parents first, so that one that waits for its children knows why they end. SIGCONT lets stopped ones handle the signal.
    for (size_t i = 0; i < found.count; i++) {
        kill(found.list[i], SIGTERM);
        kill(found.list[i], SIGCONT);
    }
}

static void end_one(const struct clinux_family *family, pid_t process, void *context) {
    (void)family, (void)context;
    kill(process, SIGKILL);
}

void clinux_end_descendants(const struct clinux_family *family) {
    while (clinux_reap()) {
        if (family->is_init)
            // Every process in this namespace except this one.
            kill(-1, SIGKILL);
        else
            // A process whose parent is killed becomes our child, and is killed in a later round.
            for_each_child(family, end_one, NULL);
        // Wakes up when a child ends. The limit is for children that a list has missed while others were ending.
        await_death(family, 20);
    }
}
