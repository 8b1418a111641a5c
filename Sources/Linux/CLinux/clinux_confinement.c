// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "clinux_confinement.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

_Static_assert(clinux_cap_kill == CAP_KILL, "CAP_KILL");
_Static_assert(clinux_cap_net_bind_service == CAP_NET_BIND_SERVICE, "CAP_NET_BIND_SERVICE");

pid_t clinux_fork(void) { return fork(); }

// With all other arguments 0, their order, which differs between machines, does not matter.
pid_t clinux_fork_sibling(void) { return (pid_t)syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0); }

int clinux_drop_standard_streams(void) {
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    return null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0 ? -1 : 0;
}

int clinux_close_others(const int *kept, size_t count) {
    unsigned next = STDERR_FILENO + 1;
    for (size_t i = 0; i < count; i++) {
        if (kept[i] < (int)next) continue;
        if ((unsigned)kept[i] > next && close_range(next, (unsigned)kept[i] - 1, 0) != 0) return -1;
        next = (unsigned)kept[i] + 1;
    }
    return close_range(next, ~0U, 0);
}

int clinux_empty_root(void) {
    if (unshare(CLONE_NEWNS) != 0) return -1;
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) return -1;
    // Any folder will do: the file system mounted there becomes the root.
    const unsigned long flags = MS_NODEV | MS_NOEXEC | MS_NOSUID | MS_RDONLY;
    if (mount("ipv6check", "/proc", "tmpfs", flags, "nr_inodes=1,mode=0555") != 0) return -1;
    if (chdir("/proc") != 0) return -1;
    // The old root is then mounted over the new one, and is unmounted from there (pivot_root(2)).
    if (syscall(SYS_pivot_root, ".", ".") == 0) {
        if (umount2(".", MNT_DETACH | UMOUNT_NOFOLLOW) != 0) return -1;
        return chdir("/");
    }
    // The seccomp filters of Docker and containerd refuse pivot_root even to CAP_SYS_ADMIN, but permit chroot. The old root then stays
    // mounted, but no path of this process leads there.
    if (chroot(".") == 0) return chdir("/");
    const int error = errno;
    // The fallback needs /proc.
    umount2("/proc", MNT_DETACH | UMOUNT_NOFOLLOW);
    errno = error;
    return -1;
}

int clinux_empty_root_by_chroot(void) {
    const pid_t child = fork();
    if (child < 0) return -1;
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        while (true) pause();
    }
    // No files can be made in a folder of /proc, and it is empty once its process has ended. This needs no writable file system.
    char folder[32];
    snprintf(folder, sizeof folder, "/proc/%d/fdinfo", child);
    const int result = chdir(folder) != 0 || chroot(".") != 0 || chdir("/") != 0 ? -1 : 0;
    const int error = errno;
    kill(child, SIGKILL);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
    errno = error;
    return result;
}

int clinux_become_nobody(uint64_t kept) {
    // Root has no limit of processes; as `nobody`, this process would share one with other programs.
    const struct rlimit unlimited = {RLIM_INFINITY, RLIM_INFINITY};
    setrlimit(RLIMIT_NPROC, &unlimited);
    if (kept != 0 && prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) != 0) return -1;
    if (setgroups(0, NULL) != 0) return -1;
    if (setresgid(clinux_nobody, clinux_nobody, clinux_nobody) != 0) return -1;
    return setresuid(clinux_nobody, clinux_nobody, clinux_nobody);
}

int clinux_forbid_new_rights(void) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}
