// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "clinux_namespace.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/xattr.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

_Static_assert(clinux_new_user == CLONE_NEWUSER, "CLONE_NEWUSER");
_Static_assert(clinux_new_network == CLONE_NEWNET, "CLONE_NEWNET");
_Static_assert(clinux_new_mounts == CLONE_NEWNS, "CLONE_NEWNS");
_Static_assert(clinux_cap_dac_override == CAP_DAC_OVERRIDE, "CAP_DAC_OVERRIDE");
_Static_assert(clinux_cap_setpcap == CAP_SETPCAP, "CAP_SETPCAP");
_Static_assert(clinux_cap_net_admin == CAP_NET_ADMIN, "CAP_NET_ADMIN");
_Static_assert(clinux_cap_net_raw == CAP_NET_RAW, "CAP_NET_RAW");
_Static_assert(clinux_cap_sys_admin == CAP_SYS_ADMIN, "CAP_SYS_ADMIN");
_Static_assert(clinux_cap_setfcap == CAP_SETFCAP, "CAP_SETFCAP");

int clinux_unshare(int what) { return unshare(what); }

int clinux_try_unshare(int what) {
    const pid_t child = fork();
    if (child < 0) return errno;
    if (child == 0) _exit(unshare(what) == 0 ? 0 : errno);
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return errno;
    return WIFEXITED(status) ? WEXITSTATUS(status) : EINTR;
}

int clinux_enter_network(int descriptor) { return setns(descriptor, CLONE_NEWNET); }

// MARK: - Mounts

int clinux_make_mounts_private(void) { return mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL); }

int clinux_mount_memory(const char *target) {
    return mount("ipv6check", target, "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755,size=64m");
}

int clinux_mount_overlay(const char *lower, const char *upper, const char *work, const char *target) {
    char options[3 * 4096];
    const int length = snprintf(options, sizeof options, "lowerdir=%s,upperdir=%s,workdir=%s", lower, upper, work);
    if (length < 0 || (size_t)length >= sizeof options) {
        errno = ENAMETOOLONG;
        return -1;
    }
    return mount("ipv6check", target, "overlay", 0, options);
}

int clinux_mount_sysfs(const char *target) {
    const unsigned long flags = MS_NOSUID | MS_NODEV | MS_NOEXEC;
    if (mount("ipv6check", target, "sysfs", flags, NULL) == 0) return 0;
    // In a user namespace the kernel refuses a mount that shows more than the existing one, which is often read-only.
    return mount("ipv6check", target, "sysfs", flags | MS_RDONLY, NULL);
}

int clinux_mount_bind(const char *source, const char *target) { return mount(source, target, NULL, MS_BIND, NULL); }

int clinux_detach_mount(const char *target) { return umount2(target, MNT_DETACH); }

// MARK: - Capabilities

static int last_capability(void) {
    // The kernel refuses the first number that it does not know.
    int number = 0;
    while (number < 64 && prctl(PR_CAPBSET_READ, number, 0, 0, 0) >= 0) number++;
    return number - 1;
}

static struct __user_cap_header_struct header(void) {
    return (struct __user_cap_header_struct){.version = _LINUX_CAPABILITY_VERSION_3};
}

int clinux_get_capabilities(struct clinux_capabilities *capabilities) {
    struct __user_cap_header_struct head = header();
    struct __user_cap_data_struct halves[2];
    if (syscall(SYS_capget, &head, halves) != 0) return -1;
    *capabilities = (struct clinux_capabilities){
        .effective = (uint64_t)halves[1].effective << 32 | halves[0].effective,
        .permitted = (uint64_t)halves[1].permitted << 32 | halves[0].permitted,
        .inheritable = (uint64_t)halves[1].inheritable << 32 | halves[0].inheritable,
    };
    for (int number = last_capability(); number >= 0; number--) {
        if (prctl(PR_CAPBSET_READ, number, 0, 0, 0) == 1) capabilities->bounding |= UINT64_C(1) << number;
        if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, number, 0, 0) == 1)
            capabilities->ambient |= UINT64_C(1) << number;
    }
    return 0;
}

int clinux_set_capabilities(const struct clinux_capabilities *capabilities) {
    // The bounding set first: it needs CAP_SETPCAP, which may be about to be dropped.
    const int last = last_capability();
    for (int number = last; number >= 0; number--) {
        const bool wanted = capabilities->bounding >> number & 1;
        if (!wanted && prctl(PR_CAPBSET_READ, number, 0, 0, 0) == 1 && prctl(PR_CAPBSET_DROP, number, 0, 0, 0) != 0)
            return -1;
    }
    struct __user_cap_header_struct head = header();
    const struct __user_cap_data_struct halves[2] = {
        {(uint32_t)capabilities->effective, (uint32_t)capabilities->permitted, (uint32_t)capabilities->inheritable},
        {capabilities->effective >> 32, capabilities->permitted >> 32, capabilities->inheritable >> 32},
    };
    if (syscall(SYS_capset, &head, halves) != 0) return -1;
    if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) != 0) return -1;
    for (int number = last; number >= 0; number--) {
        const bool wanted = capabilities->ambient >> number & 1;
        if (wanted && prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, number, 0, 0) != 0) return -1;
    }
    return 0;
}

bool clinux_has_file_capabilities(const char *path) { return getxattr(path, XATTR_NAME_CAPS, NULL, 0) > 0; }

int clinux_memory_file(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

int clinux_unnamed_file(const char *folder) { return open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666); }
