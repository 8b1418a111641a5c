// SPDX-License-Identifier: Apache-2.0
// Interposes the functions with which an interpreter opens files about the machine's connections: passed on, and reported (frames.h).
// Without a tracer or an interpreter, the cost is a comparison and a jump.
//
// A look at the table of IPv4 routes is told without a tracer, too.
//
// These functions have an optional mode. Here it is always read, from the register that it would be in. <fcntl.h> is not included, as its
// declarations differ.
#define _GNU_SOURCE
#include "evidence.h"
#include "frames.h"
#include "frames_memory.h"
#include "interpose.h"
#include "real.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/// AT_FDCWD
enum { working_directory = -100 };

/// The files that the tracer records (WatchedFile.swift); a folder includes all paths that begin with it.
static const char *const files[] = {"/etc/resolv.conf", "/etc/hosts", "/etc/gai.conf", "/var/run/docker.sock", "/sys/class/net"};
static const char *const folders[] = {"/proc/net/", "/proc/self/net/"};

/// 0 if the path is none of these. The kernel reads the path, so an invalid pointer is left for the call to refuse.
static uint64_t call_of(const char *path) {
    char text[128];
    int saved = errno;
    size_t size = frames_read_text((uintptr_t)path, text, sizeof text);
    errno = saved;
    bool is_watched = false;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        is_watched |= size == strlen(files[i]) && memcmp(text, files[i], size) == 0;
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
        is_watched |= size > strlen(folders[i]) && memcmp(text, folders[i], strlen(folders[i])) == 0;
    return is_watched ? frames_call("openat", text, size) : 0;
}

/// For calls before the library is loaded.
static int open_early(int folder, const char *path, int flags, unsigned mode) {
    return (int)syscall(SYS_openat, folder, path, flags, mode);
}

/// A program that looks for an IPv4 route reads this file. After a call that succeeded, the pointer is valid.
static int noted(const char *path, int result) {
    if (result < 0 || strcmp(path, "/proc/net/route") != 0) return result;
    int saved = errno;
    evidence_of_interfaces();
    errno = saved;
    return result;
}

static int open_and_tell(int (*function)(const char *, int, ...), const char *path, int flags, unsigned mode) {
    uint64_t call = call_of(path);
    bool is_told = frames_before(call);
    int result = function(path, flags, mode);
    frames_after(call, is_told, result < 0 ? errno : 0);
    return noted(path, result);
}

static int openat_and_tell(
    int (*function)(int, const char *, int, ...), int folder, const char *path, int flags, unsigned mode
) {
    uint64_t call = call_of(path);
    bool is_told = frames_before(call);
    int result = function(folder, path, flags, mode);
    frames_after(call, is_told, result < 0 ? errno : 0);
    return result;
}

/// Defines a function that takes a path. For __open_2 and similar functions, the mode is whatever is in the register, and is never used.
#define INTERPOSE_OPEN(symbol, member)                                                     \
    INTERPOSED int interposed_##member(const char *, int, unsigned) __asm__(symbol);       \
    int interposed_##member(const char *path, int flags, unsigned mode) {                  \
        if (real_open.member == NULL) return open_early(working_directory, path, flags, mode); \
        if (frames_wanted()) return open_and_tell(real_open.member, path, flags, mode);    \
        if (!evidence_wanted()) return real_open.member(path, flags, mode);                \
        return noted(path, real_open.member(path, flags, mode));                           \
    }

/// Defines a function that takes a folder as well.
#define INTERPOSE_OPENAT(symbol, member)                                                   \
    INTERPOSED int interposed_##member(int, const char *, int, unsigned) __asm__(symbol);  \
    int interposed_##member(int folder, const char *path, int flags, unsigned mode) {      \
        if (real_open.member == NULL) return open_early(folder, path, flags, mode);        \
        if (!frames_wanted()) return real_open.member(folder, path, flags, mode);          \
        return openat_and_tell(real_open.member, folder, path, flags, mode);               \
    }

INTERPOSE_OPEN("open", open)
INTERPOSE_OPENAT("openat", openat)
#ifdef __GLIBC__
INTERPOSE_OPEN("open64", open64)
INTERPOSE_OPENAT("openat64", openat64)
INTERPOSE_OPEN("__open_2", open_2)
INTERPOSE_OPEN("__open64_2", open64_2)
#endif
