// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "clinux_cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// The path of the group below `mount`; false if this process's own group is not there. It is determined each time: the caller
// may have another view of the file system than the process that made the group.
static bool find_path(const char *mount, pid_t guard, char path[PATH_MAX]) {
    char text[PATH_MAX];
    const int file = open("/proc/self/cgroup", O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    const ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    if (length <= 0) return false;
    text[length] = 0;
    // "0::/user.slice/…" is the line of cgroup v2; ".." is a group outside the mounted tree.
    char *own = strncmp(text, "0::", 3) == 0 ? text : strstr(text, "\n0::");
    if (!own) return false;
    own = strchr(own, '/');
    if (!own) return false;
    own[strcspn(own, "\n")] = 0;
    if (strstr(own, "/..")) return false;
    const int size = snprintf(path, PATH_MAX, "%s%s/ipv6check-%d", mount, strcmp(own, "/") == 0 ? "" : own, (int)guard);
    return size > 0 && size < PATH_MAX;
}

static bool write_word(const char *folder, const char *name, const char *word) {
    char path[PATH_MAX];
    const int size = snprintf(path, sizeof path, "%s/%s", folder, name);
    if (size < 0 || size >= (int)sizeof path) return false;
    const int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0) return false;
    const bool done = write(file, word, strlen(word)) == (ssize_t)strlen(word);
    close(file);
    return done;
}

// cgroup v2 alone, or beside the hierarchies of cgroup v1.
static const char *const mounts[] = {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"};

bool clinux_make_cgroup(pid_t guard) {
    char path[PATH_MAX], switch_[PATH_MAX + 16];
    for (size_t i = 0; i < sizeof mounts / sizeof *mounts; i++) {
        if (!find_path(mounts[i], guard, path) || mkdir(path, 0755) != 0) continue;
        snprintf(switch_, sizeof switch_, "%s/cgroup.kill", path);
        if (access(switch_, W_OK) == 0) return true;
        rmdir(path);
    }
    return false;
}

void clinux_enter_cgroup(pid_t guard) {
    char path[PATH_MAX];
    for (size_t i = 0; i < sizeof mounts / sizeof *mounts; i++)
        if (find_path(mounts[i], guard, path) && write_word(path, "cgroup.procs", "0")) return;
}

void clinux_end_cgroup(pid_t guard) {
    char path[PATH_MAX];
    for (size_t i = 0; i < sizeof mounts / sizeof *mounts; i++) {
        if (!find_path(mounts[i], guard, path) || !write_word(path, "cgroup.kill", "1")) continue;
        // The group can be removed once its last process has been reaped.
        for (int tries = 0; rmdir(path) != 0 && errno == EBUSY && tries < 100; tries++)
            nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
}
