// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "clinux_tracing.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__x86_64__)
#define NATIVE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define NATIVE AUDIT_ARCH_AARCH64
#else
#error "name the architecture of seccomp's data"
#endif


// MARK: - The filter

// The numbers of the traced calls for 32-bit programs (arch/x86/entry/syscalls/syscall_32.tbl).
enum {
    i386_open = 5,
    i386_ptrace = 26,
    i386_ioctl = 54,
    i386_socketcall = 102,
    i386_openat = 295,
    i386_sendmmsg = 345,
    i386_socket = 359,
    i386_bind = 361,
    i386_connect = 362,
    i386_listen = 363,
    i386_getsockopt = 365,
    i386_setsockopt = 366,
    i386_sendto = 369,
    i386_sendmsg = 370,
    io_uring_setup = 425,
    openat2 = 437,
};

enum { instruction_limit = 192 };

// A filter program under construction. Its parts are skipped by jumps of eight bits.
struct program {
    unsigned short count;
    bool is_too_long;
    struct sock_filter instructions[instruction_limit];
};

static void emit(struct program *program, struct sock_filter instruction) {
    if (program->count == instruction_limit) {
        program->is_too_long = true;
        return;
    }
    program->instructions[program->count++] = instruction;
}

static void load(struct program *program, size_t offset) {
    emit(program, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset));
}

static void give_back(struct program *program, uint32_t action) {
    emit(program, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action));
}

// Skips so many instructions unless the loaded value is `value`.
static void unless_equal(struct program *program, uint32_t value, uint8_t skipped) {
    emit(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skipped));
}

// Skips so many instructions if the loaded value is `value`.
static void if_equal(struct program *program, uint32_t value, uint8_t skipped) {
    emit(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, skipped, 0));
}

// Stops at the call with this number, whatever its arguments.
static void stop_at(struct program *program, uint32_t number) {
    unless_equal(program, number, 1);
    give_back(program, SECCOMP_RET_TRACE);
}

// The lower half of an argument: the architectures are little-endian.
static size_t argument(int n) { return offsetof(struct seccomp_data, args) + 8 * (size_t)n; }

// Stops at a call if an argument is one of the values; the call's number must be loaded.
static void stop_at_if(struct program *program, uint32_t number, int n, const uint32_t *values, size_t count) {
    unless_equal(program, number, (uint8_t)(2 * count + 2));
    load(program, argument(n));
    for (size_t i = 0; i < count; i++) stop_at(program, values[i]);
    give_back(program, SECCOMP_RET_ALLOW);
}

#define STOP_AT_IF(program, number, n, ...)                                                                       \
    stop_at_if(program, number, n, (const uint32_t[]){__VA_ARGS__},                                               \
               sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

// IPv4-specific ioctls of interfaces: SIOCGIFCONF, SIOCGIFADDR, SIOCGIFDSTADDR, SIOCGIFBRDADDR, SIOCGIFNETMASK.
#define INTERFACE_REQUESTS 0x8912, 0x8915, 0x8917, 0x8919, 0x891b

// Only x86-64 has the older ones.
#ifdef __NR_chown
#define OWNER_CALLS __NR_chown, __NR_lchown, __NR_fchown, __NR_fchownat
#define CASE_OWNER_CALLS case __NR_chown: case __NR_lchown: case __NR_fchown: case __NR_fchownat
#else
#define OWNER_CALLS __NR_fchown, __NR_fchownat
#define CASE_OWNER_CALLS case __NR_fchown: case __NR_fchownat
#endif

// Calls that an ordinary user's namespace refuses for another reason than the machine does.
static const uint32_t identity_calls[] = {OWNER_CALLS,      __NR_setuid,    __NR_setgid,   __NR_setreuid,
                                          __NR_setregid,    __NR_setresuid, __NR_setresgid};

static void stop_at_native_calls(struct program *program) {
    load(program, offsetof(struct seccomp_data, nr));
    stop_at(program, __NR_connect);
    stop_at(program, __NR_bind);
    stop_at(program, __NR_listen);
    stop_at(program, __NR_sendmsg);
    stop_at(program, __NR_sendmmsg);
    stop_at(program, __NR_openat);
    stop_at(program, openat2);
    stop_at(program, io_uring_setup);
#ifdef __NR_open
    stop_at(program, __NR_open);
#endif
    for (size_t i = 0; i < sizeof identity_calls / sizeof *identity_calls; i++) stop_at(program, identity_calls[i]);
    // Only with an error.
    unless_equal(program, __NR_exit_group, 4);
    load(program, argument(0));
    if_equal(program, 0, 1);
    give_back(program, SECCOMP_RET_TRACE);
    give_back(program, SECCOMP_RET_ALLOW);
    // Only if it has a destination address.
    unless_equal(program, __NR_sendto, 6);
    load(program, argument(4));
    unless_equal(program, 0, 2);
    load(program, argument(4) + 4);
    if_equal(program, 0, 1);
    give_back(program, SECCOMP_RET_TRACE);
    load(program, offsetof(struct seccomp_data, nr));
    STOP_AT_IF(program, __NR_socket, 0, AF_INET, AF_INET6, AF_PACKET);
    STOP_AT_IF(program, __NR_setsockopt, 1, IPPROTO_IP, IPPROTO_IPV6);
    STOP_AT_IF(program, __NR_ioctl, 1, INTERFACE_REQUESTS);
    // A traced process cannot be traced by another.
    STOP_AT_IF(program, __NR_ptrace, 0, PTRACE_TRACEME, PTRACE_ATTACH, PTRACE_SEIZE);
    // SO_ERROR: the outcome of a pending connection attempt.
    unless_equal(program, __NR_getsockopt, 5);
    load(program, argument(1));
    unless_equal(program, SOL_SOCKET, 3);
    load(program, argument(2));
    stop_at(program, SO_ERROR);
    give_back(program, SECCOMP_RET_ALLOW);
}

#if defined(__x86_64__)
static void stop_at_32_bit_calls(struct program *program) {
    load(program, offsetof(struct seccomp_data, nr));
    static const uint32_t numbers[] = {i386_connect, i386_bind, i386_listen, i386_sendmsg, i386_sendmmsg, i386_open,
                                       i386_openat, i386_sendto, io_uring_setup, openat2};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) stop_at(program, numbers[i]);
    // socket, bind, connect, listen, sendto, setsockopt, getsockopt, sendmsg, sendmmsg (linux/net.h)
    STOP_AT_IF(program, i386_socketcall, 0, 1, 2, 3, 4, 11, 14, 15, 16, 20);
    STOP_AT_IF(program, i386_ptrace, 0, PTRACE_TRACEME, PTRACE_ATTACH, PTRACE_SEIZE);
    STOP_AT_IF(program, i386_socket, 0, AF_INET, AF_INET6, AF_PACKET);
    STOP_AT_IF(program, i386_setsockopt, 1, IPPROTO_IP, IPPROTO_IPV6);
    STOP_AT_IF(program, i386_getsockopt, 2, SO_ERROR);
    STOP_AT_IF(program, i386_ioctl, 1, INTERFACE_REQUESTS);
    give_back(program, SECCOMP_RET_ALLOW);
}
#endif

int clinux_stop_at_calls(void) {
    struct program native = {0}, narrow = {0}, program = {0};
    stop_at_native_calls(&native);
#if defined(__x86_64__)
    stop_at_32_bit_calls(&narrow);
#endif
    load(&program, offsetof(struct seccomp_data, arch));
    unless_equal(&program, NATIVE, (uint8_t)native.count);
    for (int i = 0; i < native.count; i++) emit(&program, native.instructions[i]);
#if defined(__x86_64__)
    unless_equal(&program, AUDIT_ARCH_I386, (uint8_t)narrow.count);
#endif
    for (int i = 0; i < narrow.count; i++) emit(&program, narrow.instructions[i]);
    give_back(&program, SECCOMP_RET_ALLOW);
    if (native.is_too_long || narrow.is_too_long || program.is_too_long) {
        errno = E2BIG;
        return -1;
    }
    const struct sock_fprog filter = {.len = program.count, .filter = program.instructions};
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter);
}

// MARK: - Following

int clinux_trace(pid_t process) {
    const unsigned long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACESECCOMP | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK
        | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;
    return ptrace(PTRACE_SEIZE, process, NULL, options) == 0 ? 0 : -1;
}

static int64_t event_message(pid_t thread) {
    unsigned long message = 0;
    return ptrace(PTRACE_GETEVENTMSG, thread, NULL, &message) == 0 ? (int64_t)message : 0;
}

static bool stops_group(int signal) {
    return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

struct clinux_stop clinux_await_stop(void) {
    int status;
    pid_t thread;
    // Only this thread's children, not those of other threads.
    do thread = waitpid(-1, &status, __WALL | __WNOTHREAD);
    while (thread < 0 && errno == EINTR);
    if (thread < 0) return (struct clinux_stop){.kind = clinux_stop_none};
    struct clinux_stop stop = {.thread = thread};
    if (!WIFSTOPPED(status)) {
        stop.kind = clinux_stop_ended;
        stop.value = status;
        return stop;
    }
    const int signal = WSTOPSIG(status);
    switch (status >> 16) {
    case PTRACE_EVENT_SECCOMP: stop.kind = clinux_stop_call; break;
    case PTRACE_EVENT_FORK:
    case PTRACE_EVENT_VFORK:
    case PTRACE_EVENT_CLONE:
        stop.kind = clinux_stop_started;
        stop.value = event_message(thread);
        break;
    case PTRACE_EVENT_EXEC:
        stop.kind = clinux_stop_executed;
        stop.value = event_message(thread);
        break;
    case PTRACE_EVENT_STOP: stop.kind = stops_group(signal) ? clinux_stop_stopped : clinux_stop_begun; break;
    default:
        if (signal == (SIGTRAP | 0x80)) {
            stop.kind = clinux_stop_return;
        } else {
            stop.kind = clinux_stop_signal;
            stop.value = signal;
        }
    }
    return stop;
}

bool clinux_let_go(pid_t thread, int how, int signal) {
    switch (how) {
    case clinux_finish_call: return ptrace(PTRACE_SYSCALL, thread, NULL, (long)signal) == 0;
    case clinux_stay_stopped: return ptrace(PTRACE_LISTEN, thread, NULL, NULL) == 0;
    default: return ptrace(PTRACE_CONT, thread, NULL, (long)signal) == 0;
    }
}

// MARK: - Calls

static int native_call(uint64_t number) {
    switch (number) {
    case __NR_socket: return clinux_called_socket;
    case __NR_connect: return clinux_called_connect;
    case __NR_bind: return clinux_called_bind;
    case __NR_listen: return clinux_called_listen;
    case __NR_sendto: return clinux_called_sendto;
    case __NR_sendmsg: return clinux_called_sendmsg;
    case __NR_sendmmsg: return clinux_called_sendmmsg;
    case __NR_setsockopt: return clinux_called_setsockopt;
    case __NR_getsockopt: return clinux_called_getsockopt;
    case __NR_ioctl: return clinux_called_ioctl;
    case __NR_ptrace: return clinux_called_ptrace;
    case __NR_openat: return clinux_called_openat;
    case openat2: return clinux_called_openat;
    case io_uring_setup: return clinux_called_io_uring_setup;
    case __NR_exit_group: return clinux_called_exit;
    CASE_OWNER_CALLS: return clinux_called_change_owner;
    case __NR_setuid:
    case __NR_setgid:
    case __NR_setreuid:
    case __NR_setregid:
    case __NR_setresuid:
    case __NR_setresgid: return clinux_called_change_user;
    default: return clinux_called_other;
    }
}

// open(path, flags) is openat without its first argument.
static void insert_working_directory(struct clinux_traced_call *call) {
    call->call = clinux_called_openat;
    for (int i = 5; i > 0; i--) call->arguments[i] = call->arguments[i - 1];
    call->arguments[0] = (uint64_t)(int64_t)AT_FDCWD;
}

#if defined(__x86_64__)
static int narrow_call(uint64_t number) {
    switch (number) {
    case i386_socket: return clinux_called_socket;
    case i386_connect: return clinux_called_connect;
    case i386_bind: return clinux_called_bind;
    case i386_listen: return clinux_called_listen;
    case i386_sendto: return clinux_called_sendto;
    case i386_sendmsg: return clinux_called_sendmsg;
    case i386_sendmmsg: return clinux_called_sendmmsg;
    case i386_setsockopt: return clinux_called_setsockopt;
    case i386_getsockopt: return clinux_called_getsockopt;
    case i386_ioctl: return clinux_called_ioctl;
    case i386_ptrace: return clinux_called_ptrace;
    case i386_openat:
    case openat2: return clinux_called_openat;
    case io_uring_setup: return clinux_called_io_uring_setup;
    default: return clinux_called_other;
    }
}

// socketcall(number, arguments): linux/net.h
static void unpack_socketcall(pid_t thread, struct clinux_traced_call *call) {
    static const int calls[] = {
        [1] = clinux_called_socket, [2] = clinux_called_bind, [3] = clinux_called_connect, [4] = clinux_called_listen,
        [11] = clinux_called_sendto, [14] = clinux_called_setsockopt, [15] = clinux_called_getsockopt,
        [16] = clinux_called_sendmsg, [20] = clinux_called_sendmmsg,
    };
    const uint64_t number = call->arguments[0];
    uint32_t words[6] = {0};
    clinux_read_memory(thread, call->arguments[1], words, sizeof words);
    call->call = number < sizeof calls / sizeof *calls ? calls[number] : clinux_called_other;
    for (int i = 0; i < 6; i++) call->arguments[i] = words[i];
}
#endif

bool clinux_get_call(pid_t thread, struct clinux_traced_call *call) {
    struct __ptrace_syscall_info information;
    if (ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof information, &information) <= 0) return false;
    if (information.op != PTRACE_SYSCALL_INFO_SECCOMP) return false;
    *call = (struct clinux_traced_call){.instruction = information.instruction_pointer, .stack = information.stack_pointer};
    for (int i = 0; i < 6; i++) call->arguments[i] = information.seccomp.args[i];
    const uint64_t number = information.seccomp.nr;
    if (information.arch == NATIVE) {
        call->call = native_call(number);
#ifdef __NR_open
        if (number == __NR_open) insert_working_directory(call);
#endif
        return true;
    }
    call->is_32_bit = true;
#if defined(__x86_64__)
    call->call = narrow_call(number);
    if (number == i386_open) insert_working_directory(call);
    if (number == i386_socketcall) unpack_socketcall(thread, call);
#endif
    return true;
}

bool clinux_get_return(pid_t thread, int64_t *value) {
    struct __ptrace_syscall_info information;
    if (ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof information, &information) <= 0) return false;
    if (information.op != PTRACE_SYSCALL_INFO_EXIT) return false;
    *value = information.exit.rval;
    return true;
}

int clinux_get_registers(pid_t thread, uint64_t registers[clinux_register_limit], uint64_t *stack) {
    struct user_regs_struct raw;
    struct iovec space = {&raw, sizeof raw};
    if (ptrace(PTRACE_GETREGSET, thread, (void *)NT_PRSTATUS, &space) != 0 || space.iov_len != sizeof raw) return 0;
#if defined(__x86_64__)
    // System V ABI, AMD64 supplement, figure 3.36.
    const uint64_t values[] = {raw.rax, raw.rdx, raw.rcx, raw.rbx, raw.rsi, raw.rdi, raw.rbp, raw.rsp, raw.r8,
                               raw.r9, raw.r10, raw.r11, raw.r12, raw.r13, raw.r14, raw.r15, raw.rip};
    *stack = raw.rsp;
#else
    uint64_t values[clinux_register_limit];
    memcpy(values, raw.regs, sizeof raw.regs);
    values[31] = raw.sp;
    values[32] = raw.pc;
    *stack = raw.sp;
#endif
    memcpy(registers, values, sizeof values);
    return sizeof values / sizeof *values;
}

ssize_t clinux_read_memory(pid_t process, uint64_t address, void *buffer, size_t size) {
    const struct iovec here = {buffer, size};
    const struct iovec there = {(void *)(uintptr_t)address, size};
    const ssize_t count = process_vm_readv(process, &here, 1, &there, 1, 0);
    if (count >= 0) return count;
    // Part of the range may be readable: up to the end of the first page.
    const size_t page = 4096, rest = page - address % page;
    if (rest >= size) return -1;
    const struct iovec first = {buffer, rest};
    return process_vm_readv(process, &first, 1, &there, 1, 0);
}

// MARK: - Sockets

int clinux_open_process(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

// Duplicates another process's descriptor; -1 if that fails.
static int take_socket(int handle, int descriptor) { return (int)syscall(SYS_pidfd_getfd, handle, descriptor, 0); }

bool clinux_get_socket_kind(int handle, int descriptor, struct clinux_socket_kind *kind) {
    const int taken = take_socket(handle, descriptor);
    if (taken < 0) return false;
    socklen_t size = sizeof(int);
    struct stat status = {0};
    const bool known = fstat(taken, &status) == 0 && getsockopt(taken, SOL_SOCKET, SO_DOMAIN, &kind->family, &size) == 0
        && getsockopt(taken, SOL_SOCKET, SO_TYPE, &kind->type, &size) == 0
        && getsockopt(taken, SOL_SOCKET, SO_PROTOCOL, &kind->protocol, &size) == 0;
    kind->inode = status.st_ino;
    close(taken);
    return known;
}

size_t clinux_get_socket_name(int handle, int descriptor, void *address, size_t size) {
    const int taken = take_socket(handle, descriptor);
    if (taken < 0) return 0;
    socklen_t length = (socklen_t)size;
    const bool known = getsockname(taken, address, &length) == 0;
    close(taken);
    return known && length <= size ? length : 0;
}
