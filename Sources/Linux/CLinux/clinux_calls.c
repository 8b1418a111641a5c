// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "clinux_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/if_tun.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sched.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "name the architecture of seccomp's data"
#endif

// The clone flags of pthread_create; no other call makes a process or a namespace.
#define THREAD                                                                                              \
    (CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SYSVSEM | CLONE_SIGHAND | CLONE_THREAD | CLONE_SETTLS |      \
     CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID)

#define CALL(name, why) {#name, __NR_##name, why, clinux_any_arguments, 0, 0, {0}, NULL}
#define COUNT(...) (sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
#define CALL_IF(name, why, condition, argument, only, ...) \
    {#name, __NR_##name, why, condition, argument, COUNT(__VA_ARGS__), {__VA_ARGS__}, only}

static const struct clinux_call calls[] = {
    // Reading and writing open descriptors.
    CALL(read, "wake-ups, timers, files of the capture"),
    CALL(write, "wake-ups, the capture, the evidence"),
    CALL(readv, "sockets (NIO)"),
    CALL(writev, "sockets (NIO)"),
    CALL(preadv2, "a packet from the TUN, without waiting"),
    CALL(pwritev2, "a packet into the TUN, without waiting"),
    CALL(pread64, "the evidence, read back"),
    CALL(pwrite64, "the evidence"),
    CALL(lseek, "the capture's stream (stdio)"),
    CALL(close, "descriptors"),
    CALL(fstat, "what kind of file was handed over"),
    CALL_IF(newfstatat, "fstat of the C library", clinux_argument_has, 3, "AT_EMPTY_PATH: an open descriptor", AT_EMPTY_PATH),
    CALL_IF(fcntl, "flags of descriptors", clinux_argument_is, 1,
            "F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC", F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC),
    CALL_IF(ioctl, "the client's TUN; whether the capture is a terminal (stdio)", clinux_argument_is, 1,
            "TUNGETIFF, TUNSETOFFLOAD, TUNSETVNETHDRSZ, TCGETS", TUNGETIFF, TUNSETOFFLOAD, TUNSETVNETHDRSZ, TCGETS),
    CALL(memfd_create, "the evidence: a file in memory"),
    CALL(ftruncate, "a file in memory"),

    // Waiting.
#ifdef __NR_poll
    CALL(poll, "one descriptor or two"),
#endif
    CALL(ppoll, "one descriptor or two"),
#ifdef __NR_epoll_create
    CALL(epoll_create, "event loops (NIO)"),
#endif
    CALL(epoll_create1, "event loops"),
    CALL(epoll_ctl, "event loops"),
#ifdef __NR_epoll_wait
    CALL(epoll_wait, "event loops"),
#endif
    CALL(epoll_pwait, "event loops"),
    CALL(eventfd2, "wake-ups"),
    CALL(timerfd_create, "timers of event loops (NIO)"),
    CALL(timerfd_settime, "timers of event loops (NIO)"),
    CALL(nanosleep, "pauses"),
    CALL(clock_nanosleep, "pauses"),
    CALL(restart_syscall, "the kernel: a pause that was interrupted goes on"),

    // Sockets.
    CALL_IF(socket, "servers of the world, DNS, forwarders", clinux_argument_is, 0, "AF_INET, AF_INET6", AF_INET, AF_INET6),
    CALL_IF(socketpair, "libunbound's two threads", clinux_argument_is, 0, "AF_UNIX", AF_UNIX),
    CALL(bind, "servers"),
    CALL(listen, "servers"),
    CALL(accept4, "servers"),
    CALL(connect, "forwarders"),
    CALL(shutdown, "the end of a stream"),
    CALL(getsockname, "which address a connection came to, what kind of link was handed over"),
    CALL(getpeername, "which address a connection came from"),
    CALL_IF(setsockopt, "options of servers", clinux_argument_is, 1,
            "SOL_SOCKET, IPPROTO_IP, IPPROTO_IPV6, IPPROTO_TCP, IPPROTO_UDP", SOL_SOCKET, IPPROTO_IP, IPPROTO_IPV6,
            IPPROTO_TCP, IPPROTO_UDP),
    CALL(getsockopt, "options and errors of servers, who is at the other end, what kind of link was handed over"),
    CALL(sendto, "datagrams, streams, a packet onto an Ethernet link"),
    CALL(recvfrom, "datagrams, streams, a packet from an Ethernet link"),
    CALL(sendmsg, "the runner: messages with a descriptor; datagrams"),
    CALL(recvmsg, "the runner: messages with a descriptor; datagrams"),
    CALL(sendmmsg, "datagrams, several at a time"),
    CALL(recvmmsg, "datagrams, several at a time"),

    // Memory.
    CALL(brk, "memory (malloc)"),
    CALL_IF(mmap, "memory", clinux_argument_lacks, 2, "without PROT_EXEC", PROT_EXEC),
    CALL_IF(mprotect, "memory", clinux_argument_lacks, 2, "without PROT_EXEC", PROT_EXEC),
    CALL(munmap, "memory"),
    CALL(mremap, "memory (realloc)"),
    CALL(madvise, "memory of ended threads"),

    // Threads.
    CALL_IF(clone, "threads", clinux_argument_is, 0, "the flags of pthread_create, and no others", THREAD),
    CALL(set_robust_list, "a thread's start"),
    CALL(rseq, "a thread's start"),
    CALL(futex, "locks"),
    CALL(gettid, "a thread's own number"),
    CALL(getpid, "the own number"),
    CALL(sched_yield, "locks"),
    CALL_IF(sched_setattr, "a path whose client floods", clinux_argument_is, 0, "of itself", 0),
    CALL(sched_getaffinity, "the number of processors; a thread's stack (C library)"),
    CALL_IF(prctl, "a thread's name", clinux_argument_is, 0, "PR_SET_NAME, PR_GET_NAME", PR_SET_NAME, PR_GET_NAME),
    CALL_IF(prlimit64, "the limit of a stack (C library)", clinux_argument_is, 0, "of itself", 0),
    CALL(exit, "a thread's end"),
    CALL(exit_group, "the end"),

    // Signals.
    CALL(rt_sigaction, "SIGPIPE is ignored (NIO)"),
    CALL(rt_sigprocmask, "a thread's start"),
    CALL(rt_sigreturn, "after a handler"),
    CALL(sigaltstack, "the stack of Swift's crash handler"),
    CALL_IF(tgkill, "abort", clinux_argument_is_self, 0, "the own threads", 0),

    // Time and randomness.
    CALL(clock_gettime, "time, where the vDSO has none"),
    CALL(clock_getres, "time"),
    CALL(gettimeofday, "time, where the vDSO has none"),
    CALL(getrandom, "keys, ports, identifications"),
    CALL(uname, "the kernel's version (NIO)"),
    CALL(sysinfo, "the size of the memory (C library's qsort)"),
};

enum { number_of_calls = sizeof calls / sizeof *calls };

// The calls of a process that reads untrusted files and whose libraries are loaded: no sockets, writing only to inherited descriptors,
// no exec.
static const struct clinux_call reading_calls[] = {
    CALL_IF(openat, "executables and their debug information", clinux_argument_lacks, 2, "O_RDONLY",
            O_WRONLY | O_RDWR | O_CREAT | O_TRUNC),
#ifdef __NR_readlink
    CALL(readlink, "where debug information is"),
#endif
    CALL(readlinkat, "where debug information is"),
#ifdef __NR_stat
    CALL(stat, "where debug information is"),
    CALL(lstat, "where debug information is"),
    CALL(access, "where debug information is"),
#endif
    CALL(faccessat, "where debug information is"),
    CALL(newfstatat, "where debug information is"),
    CALL(statx, "where debug information is"),
    CALL(fstat, "what kind of file it is"),
    CALL(read, "files"),
    CALL(pread64, "files"),
    CALL(lseek, "files"),
    CALL(write, "the answer"),
    CALL(close, "files"),
    CALL_IF(fcntl, "flags of descriptors", clinux_argument_is, 1, "F_GETFD, F_SETFD, F_GETFL", F_GETFD, F_SETFD, F_GETFL),
    CALL_IF(mmap, "files and memory", clinux_argument_lacks, 2, "not PROT_EXEC", PROT_EXEC),
    CALL_IF(mprotect, "memory", clinux_argument_lacks, 2, "not PROT_EXEC", PROT_EXEC),
    CALL(mremap, "memory"),
    CALL(munmap, "memory"),
    CALL(madvise, "memory"),
    CALL(brk, "memory"),
    CALL(futex, "locks"),
    CALL(sched_yield, "locks"),
    CALL(getrandom, "Swift's dictionaries"),
    CALL(clock_gettime, "time, where the vDSO has none"),
    CALL(sysinfo, "the size of the memory (C library's qsort)"),
    CALL(getpid, "abort"),
    CALL(gettid, "abort"),
    CALL_IF(tgkill, "abort", clinux_argument_is_self, 0, "the own threads", 0),
    CALL(rt_sigaction, "abort"),
    CALL(rt_sigprocmask, "abort"),
    CALL(rt_sigreturn, "after a handler"),
    CALL(exit, "the end"),
    CALL(exit_group, "the end"),
};

_Static_assert(sizeof reading_calls <= sizeof calls, "the filter's size is that of the longer table");

const struct clinux_call *clinux_allowed_call(int index) {
    return index >= 0 && index < number_of_calls ? &calls[index] : NULL;
}

// MARK: - The filter

// Instructions per call: the number, one argument, a comparison for each value, and the two returns.
enum { longest_rule = 5 + clinux_call_value_limit };

struct program {
    struct sock_filter instructions[8 + number_of_calls * longest_rule];
    unsigned short length;
};

static void add(struct program *program, struct sock_filter instruction) {
    program->instructions[program->length++] = instruction;
}

#define STATEMENT(code, value) ((struct sock_filter)BPF_STMT(code, value))
#define JUMP(code, value, yes, no) ((struct sock_filter)BPF_JUMP(code, value, yes, no))
#define FAIL(reason) STATEMENT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ((reason) & SECCOMP_RET_DATA))
#define ALLOW STATEMENT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

// The lower half of an argument: the kernel, too, uses only 32 bits of the arguments compared here.
static unsigned lower_half(int argument) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return offsetof(struct seccomp_data, args) + 8 * (unsigned)argument;
#else
    return offsetof(struct seccomp_data, args) + 8 * (unsigned)argument + 4;
#endif
}

static void add_rule(struct program *program, const struct clinux_call *call) {
    if (call->condition == clinux_any_arguments) {
        add(program, JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)call->number, 0, 1));
        add(program, ALLOW);
        return;
    }
    const unsigned char comparisons = call->condition == clinux_argument_is ? (unsigned char)call->count : 1;
    add(program, JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)call->number, 0, comparisons + 3));
    add(program, STATEMENT(BPF_LD | BPF_W | BPF_ABS, lower_half(call->argument)));
    switch (call->condition) {
    case clinux_argument_is:
        for (unsigned char i = 0; i < comparisons; i++)
            add(program, JUMP(BPF_JMP | BPF_JEQ | BPF_K, call->values[i], comparisons - i, 0));
        break;
    case clinux_argument_is_self:
        add(program, JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)getpid(), 1, 0));
        break;
    case clinux_argument_lacks:
        add(program, JUMP(BPF_JMP | BPF_JSET | BPF_K, call->values[0], 0, 1));
        break;
    default:
        // A single bit.
        add(program, JUMP(BPF_JMP | BPF_JSET | BPF_K, call->values[0], 1, 0));
    }
    add(program, FAIL(EPERM));
    add(program, ALLOW);
}

static int allow(const struct clinux_call *table, size_t count) {
    struct program program = {.length = 0};
    add(&program, STATEMENT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)));
    add(&program, JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0));
    add(&program, FAIL(EPERM));
    add(&program, STATEMENT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)));
    // x32 calls have an additional bit in their numbers, so they are not in the table.
    for (size_t i = 0; i < count; i++) add_rule(&program, &table[i]);
    add(&program, JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone3, 0, 1));
    add(&program, FAIL(ENOSYS));
    add(&program, FAIL(EPERM));
    const struct sock_fprog filter = {.len = program.length, .filter = program.instructions};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0);
}

int clinux_allow_listed_calls(void) { return allow(calls, number_of_calls); }

int clinux_allow_reading_calls(void) { return allow(reading_calls, sizeof reading_calls / sizeof *reading_calls); }
