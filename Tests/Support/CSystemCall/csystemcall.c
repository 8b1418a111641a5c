// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CSystemCall.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

long csystemcall_make(long number, const long a[6]) {
    const long result = syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    return result == -1 ? -errno : result;
}

long csystemcall_number(const char *name) {
    static const struct {
        const char *name;
        long number;
    } calls[] = {
#define CALL(name) {#name, __NR_##name},
        CALL(openat) CALL(openat2) CALL(ptrace) CALL(setuid) CALL(setreuid) CALL(mount) CALL(unshare) CALL(setns)
        CALL(clone) CALL(clone3) CALL(execve) CALL(execveat) CALL(pidfd_open) CALL(pidfd_getfd) CALL(fsopen)
        CALL(fsconfig) CALL(kill) CALL(tgkill) CALL(process_vm_readv) CALL(bpf) CALL(io_uring_setup) CALL(chroot)
        CALL(socket) CALL(mmap) CALL(mprotect) CALL(prctl) CALL(ioctl) CALL(fcntl) CALL(newfstatat) CALL(unlinkat)
        CALL(keyctl) CALL(userfaultfd) CALL(prlimit64) CALL(sched_setattr) CALL(setsockopt) CALL(futex) CALL(getpid)
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strcmp(calls[i].name, name) == 0) return calls[i].number;
    return -1;
}
