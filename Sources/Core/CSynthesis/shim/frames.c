// SPDX-License-Identifier: Apache-2.0
// See frames.h.
#define _GNU_SOURCE
#include "frames.h"
#include "fingerprint.h"
#include "scope.h"
#include "scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char of_next[] = "/dev/ipv6check/frames/1\nfor=\n", of_last[] = "/dev/ipv6check/frames/1\nfor=last\n";

/// Calls that were reported, and their results. If there is no slot for another call, every further call is reported: that takes time, and
/// loses nothing.
enum { SEEN_MAX = 4096 };

/// Reported calls of a kind. A repeated call is one entry of the report for each place that makes it.
enum { FRAMES_OF_KIND = 16 };

static _Atomic uint64_t seen[SEEN_MAX];

static void (*find_frames)(struct frames_text *);

static bool follows_threads;

/// Frames of the thread that started this one; NULL once this thread works for another.
static _Thread_local const struct frames_text *starter_frames;
static _Thread_local unsigned look_ups;

static void add_name(struct frames_text *text, const char *name, size_t size) {
    for (size_t i = 0; i < size; i++) {
        char octet = name[i];
        text->text[text->size++] = octet == '\n' || octet == '\t' || octet == '\0' ? ' ' : octet;
    }
}

/// Whether a file is of a language or of a package, by its path.
static bool is_of_library(const char *file, size_t size) {
    static const char *const parts[] = {"/site-packages/", "/dist-packages/", "/lib/python3.", "/gems/", "/lib/ruby/", "/share/perl", "/vendor/"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (memmem(file, size, parts[i], strlen(parts[i])) != NULL) return true;
    return false;
}

bool frames_add(
    struct frames_text *text, const char *file, size_t file_size, long line, const char *function, size_t function_size
) {
    // In a deep stack, the user's frame may stand above many of libraries, of which there are enough by now.
    if (text->size > sizeof text->text / 2 && is_of_library(file, file_size)) return true;
    char number[24];
    int digits = snprintf(number, sizeof number, "%ld", line > 0 ? line : 0);
    // Two tabs, a line feed and the NUL at the end.
    size_t room = sizeof text->text - text->size;
    if (file_size == 0 || file_size > room || function_size > room || file_size + function_size + (size_t)digits + 4 > room)
        return false;
    add_name(text, file, file_size);
    text->text[text->size++] = '\t';
    add_name(text, number, (size_t)digits);
    text->text[text->size++] = '\t';
    add_name(text, function, function_size);
    text->text[text->size++] = '\n';
    return true;
}

/// The frames of this thread, then those of the thread that started it if there is room.
static void find_all(struct frames_text *text) {
    find_frames(text);
    if (starter_frames == NULL || starter_frames->size > sizeof text->text - 1 - text->size) return;
    memcpy(text->text + text->size, starter_frames->text, starter_frames->size);
    text->size += starter_frames->size;
}

bool frames_follow_threads(void) { return follows_threads; }

void frames_of_this_thread(struct frames_text *text) {
    struct scope scope;
    text->size = 0;
    if (!scope_enter(&scope)) return;
    int saved = errno;
    find_all(text);
    errno = saved;
    scope_leave(&scope);
}

void frames_begin_thread(const struct frames_text *starter) { starter_frames = starter; }

/// - size: including the NUL at the end.
static void tell(const char *opening, size_t size) {
    struct scope scope;
    if (!scope_enter(&scope)) return;
    int saved = errno;
    struct frames_text *text = scratch_take(sizeof *text);
    if (text != NULL) {
        memcpy(text->text, opening, size);
        text->size = size - 1;
        find_all(text);
        text->text[text->size] = '\0';
        // Without frames, the tracer uses the native stack.
        if (text->size >= size) syscall(SYS_openat, AT_FDCWD, text->text, O_RDONLY | O_CLOEXEC);
        scratch_give_back(text, sizeof *text);
    }
    errno = saved;
    scope_leave(&scope);
}

static bool is_new(uint64_t call) {
    for (size_t probe = 0; probe < 8; probe++) {
        _Atomic uint64_t *place = &seen[(call + probe) % SEEN_MAX];
        uint64_t found = 0;
        if (atomic_compare_exchange_strong(place, &found, call)) return true;
        if (found == call) return false;
    }
    return true;
}

/// Whether the call is one of the first of its kind: those may be made from different places.
static bool is_among_first(uint64_t call) {
    for (uint64_t number = 0; number < FRAMES_OF_KIND; number++) {
        if (is_new(fingerprint_add(call, &number, sizeof number) | 1)) return true;
    }
    return false;
}

bool frames_write(uint64_t call, bool asks_for_host, struct frames_text *text) {
    text->size = 0;
    if (asks_for_host && ++look_ups > 1) starter_frames = NULL;
    if (call == 0 || !is_among_first(call)) return false;
    int saved = errno;
    find_all(text);
    errno = saved;
    text->text[text->size] = '\0';
    return text->size > 0;
}

bool frames_wanted(void) { return find_frames != NULL; }

uint64_t frames_call(const char *name, const void *octets, size_t size) {
    // A forked child is a program of its own in the report.
    pid_t process = getpid();
    uint64_t call = fingerprint_add(FINGERPRINT_SEED, &process, sizeof process);
    call = fingerprint_add(call, name, strlen(name) + 1);
    return fingerprint_add(call, octets, size) | 1;
}

bool frames_before(uint64_t call) {
    if (call == 0 || !is_among_first(call)) return false;
    tell(of_next, sizeof of_next);
    return true;
}

void frames_after(uint64_t call, bool is_told, int error) {
    if (call == 0) return;
    if (is_new(fingerprint_add(call, &error, sizeof error) | 1) && !is_told) tell(of_last, sizeof of_last);
}

__attribute__((constructor)) static void load(void) {
    const char *wanted = getenv("IPV6CHECK_FRAMES");
    if (wanted == NULL || strcmp(wanted, "1") != 0) return;
    if (frames_find_python()) {
        find_frames = frames_of_python;
        follows_threads = true;
    } else if (frames_find_ruby()) {
        find_frames = frames_of_ruby;
    } else if (frames_find_php()) {
        find_frames = frames_of_php;
    } else if (frames_find_perl()) {
        find_frames = frames_of_perl;
    } else if (frames_find_java()) {
        find_frames = frames_of_java;
    }
}
