// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "clinux_event.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

static void to_set(uint64_t bits, sigset_t *set) {
    sigemptyset(set);
    for (int number = 1; number <= 64; number++)
        if (bits >> (number - 1) & 1) sigaddset(set, number);
}

static uint64_t to_bits(const sigset_t *set) {
    uint64_t bits = 0;
    for (int number = 1; number <= 64; number++)
        if (sigismember(set, number) == 1) bits |= UINT64_C(1) << (number - 1);
    return bits;
}

int clinux_set_blocked_signals(uint64_t blocked, uint64_t *previous) {
    sigset_t set, old;
    to_set(blocked, &set);
    const int error = pthread_sigmask(SIG_SETMASK, &set, &old);
    if (error == 0) {
        *previous = to_bits(&old);
        return 0;
    }
    errno = error;
    return -1;
}

uint64_t clinux_blocked_signals(void) {
    sigset_t set;
    sigemptyset(&set);
    pthread_sigmask(SIG_SETMASK, NULL, &set);
    return to_bits(&set);
}

// The kernel's own struct sigaction, which starts with the handler; the rest differs between architectures. glibc hides signals 32
// and 33 from its users, but a process can be started with them ignored, by glibc's own posix_spawn.
struct kernel_action {
    void (*handler)(int);
    unsigned long rest[7];
};

uint64_t clinux_ignored_signals(void) {
    uint64_t bits = 0;
    for (int number = 1; number <= 64; number++) {
        struct kernel_action action = {0};
        if (syscall(SYS_rt_sigaction, number, NULL, &action, sizeof(uint64_t)) == 0 && action.handler == SIG_IGN)
            bits |= UINT64_C(1) << (number - 1);
    }
    return bits;
}

int clinux_ignore_signal(int number, int ignored) {
    const struct kernel_action action = {.handler = ignored ? SIG_IGN : SIG_DFL};
    return (int)syscall(SYS_rt_sigaction, number, &action, NULL, sizeof(uint64_t));
}

int clinux_signal_descriptor(uint64_t signals) {
    sigset_t set;
    to_set(signals, &set);
    return signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

int clinux_signal_when_parent_ends(int number) {
    return prctl(PR_SET_PDEATHSIG, number, 0, 0, 0);
}

int clinux_next_signal(int descriptor, bool *is_typed) {
    struct signalfd_siginfo information;
    ssize_t length;
    do length = read(descriptor, &information, sizeof information);
    while (length < 0 && errno == EINTR);
    if (length == sizeof information) {
        *is_typed = information.ssi_code == SI_KERNEL
            || (information.ssi_code == SI_USER && information.ssi_pid == (uint32_t)getpid());
        return (int)information.ssi_signo;
    }
    return length < 0 && errno == EAGAIN ? 0 : -1;
}

// The argument of sched_setattr(2). The kernel's header for it and the C library's for threads cannot be included together.
struct scheduling {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
};

// The kernel's minimum.
enum { slice_in_nanoseconds = 100000 };

bool clinux_yield_to_others(void) {
    // A sixtieth of another thread's share if the processors are busy. (SCHED_IDLE would leave it none: on a busy machine, uploads of
    // well-behaved clients would fail.)
    //
    // The short slice makes a waiting thread run soon (EEVDF, Linux 6.12; earlier kernels ignore it).
    struct scheduling scheduling = {
        .size = sizeof scheduling, .policy = SCHED_OTHER, .nice = 19, .runtime = slice_in_nanoseconds};
    return syscall(SYS_sched_setattr, 0, &scheduling, 0) == 0;
}

void clinux_name_thread(const char *name) {
    char cut[16];
    snprintf(cut, sizeof cut, "%s", name);
    pthread_setname_np(pthread_self(), cut);
}
