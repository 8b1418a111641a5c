#define _GNU_SOURCE
#include "clinux_confinement.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

_Static_assert(clinux_cap_net_bind_service == CAP_NET_BIND_SERVICE, "CAP_NET_BIND_SERVICE");

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "name the architecture of seccomp's data"
#endif

#define REFUSE BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (EPERM & SECCOMP_RET_DATA))
#define DENY(call) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 1), REFUSE

static const struct sock_filter no_exec[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    DENY(execve),
    DENY(execveat),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};

// What a process that serves packets, names and sockets has no use for, and an attacker in it would.
static const struct sock_filter filter[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
    REFUSE,
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
#if defined(__x86_64__)
    // The x32 calls have this bit, and other numbers.
    BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
    REFUSE,
#endif
    DENY(ptrace),
    DENY(process_vm_readv),
    DENY(process_vm_writev),
    DENY(unshare),
    DENY(setns),
    DENY(mount),
    DENY(umount2),
    DENY(pivot_root),
    DENY(chroot),
    DENY(move_mount),
    DENY(open_tree),
    DENY(fsopen),
    DENY(fsmount),
    DENY(open_by_handle_at),
    DENY(init_module),
    DENY(finit_module),
    DENY(delete_module),
    DENY(kexec_load),
    DENY(reboot),
    DENY(swapon),
    DENY(swapoff),
    DENY(acct),
    DENY(bpf),
    DENY(perf_event_open),
    DENY(userfaultfd),
    DENY(keyctl),
    DENY(add_key),
    DENY(request_key),
    DENY(personality),
    DENY(setuid),
    DENY(setgid),
    DENY(setresuid),
    DENY(setresgid),
    DENY(settimeofday),
    DENY(clock_settime),
    DENY(sethostname),
    DENY(io_uring_setup),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};

static int install(const struct sock_filter *instructions, size_t size) {
    const struct sock_fprog program = {
        .len = size / sizeof *instructions, .filter = (struct sock_filter *)instructions};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

int clinux_confine(bool with_exec) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
    if (!with_exec && install(no_exec, sizeof no_exec) != 0) return -1;
    return install(filter, sizeof filter);
}
