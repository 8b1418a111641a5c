// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "clinux_pids.h"

#include <errno.h>
#include <fcntl.h>
#include <mntent.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

pid_t clinux_fork_init(void) {
    // Not unshare: after that this process could start no process outside the new namespace. With all other arguments
    // 0, their order, which differs between architectures, does not matter.
    return (pid_t)syscall(SYS_clone, CLONE_NEWPID | SIGCHLD, 0, 0, 0, 0);
}

enum { mask_limit = 64 };

struct mask {
    int file;
    char path[128];
};

// Opens the mount points below /proc. Returns their number, or a negative errno.
static int open_masks(struct mask masks[mask_limit]) {
    FILE *mounts = setmntent("/proc/self/mounts", "re");
    if (!mounts) return -errno;
    int count = 0;
    struct mntent entry;
    char text[4096];
    while (getmntent_r(mounts, &entry, text, sizeof text)) {
        if (strncmp(entry.mnt_dir, "/proc/", 6) != 0) continue;
        // The kernel's list of interpreters hides nothing.
        if (strcmp(entry.mnt_type, "autofs") == 0 || strcmp(entry.mnt_type, "binfmt_misc") == 0) continue;
        if (count == mask_limit || strlen(entry.mnt_dir) >= sizeof masks->path) {
            count = -E2BIG;
            break;
        }
        strcpy(masks[count].path, entry.mnt_dir);
        masks[count].file = open(entry.mnt_dir, O_PATH | O_CLOEXEC);
        if (masks[count].file < 0) {
            count = -errno;
            break;
        }
        count++;
    }
    endmntent(mounts);
    return count;
}

int clinux_show_own_pids(void) {
    struct mask masks[mask_limit];
    const int count = open_masks(masks);
    if (count < 0) return -count;
    if (mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) != 0) return errno;
    for (int i = 0; i < count; i++) {
        char source[32];
        snprintf(source, sizeof source, "/proc/self/fd/%d", masks[i].file);
        if (mount(source, masks[i].path, NULL, MS_BIND | MS_REC, NULL) != 0) {
            const int reason = errno;
            umount2("/proc", MNT_DETACH);
            return reason;
        }
        close(masks[i].file);
    }
    return 0;
}
