#define _GNU_SOURCE
#include "CStoppedCall.h"

#include <elf.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

static int number_of_call(pid_t thread, struct user_regs_struct *registers) {
    struct iovec vector = {registers, sizeof *registers};
    if (ptrace(PTRACE_GETREGSET, thread, (void *)NT_PRSTATUS, &vector) != 0) return -1;
#if defined(__x86_64__)
    return (int)registers->orig_rax;
#else
    return (int)registers->regs[8];
#endif
}

static void take(pid_t thread, const struct user_regs_struct *r, struct cstoppedcall *call) {
#if defined(__x86_64__)
    const uint64_t registers[] = {r->rax, r->rdx, r->rcx, r->rbx, r->rsi, r->rdi, r->rbp, r->rsp, r->r8,
                                  r->r9,  r->r10, r->r11, r->r12, r->r13, r->r14, r->r15, r->rip};
    call->address = r->rsp;
#else
    uint64_t registers[33];
    memcpy(registers, r->regs, 31 * 8);
    registers[31] = call->address = r->sp;
    registers[32] = r->pc;
#endif
    call->register_count = sizeof registers / 8;
    memcpy(call->registers, registers, sizeof registers);
    // Page by page: the stack may end before the buffer does.
    while (call->length < call->room) {
        struct iovec here = {call->stack + call->length, 4096 - (call->address + call->length) % 4096};
        if (here.iov_len > call->room - call->length) here.iov_len = call->room - call->length;
        struct iovec there = {(void *)(call->address + call->length), here.iov_len};
        const ssize_t count = process_vm_readv(thread, &here, 1, &there, 1, 0);
        if (count <= 0) break;
        call->length += (size_t)count;
    }
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/maps", thread);
    const int maps = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t count;
    while ((count = read(maps, call->maps + call->maps_length, call->room - call->maps_length)) > 0)
        call->maps_length += (size_t)count;
    close(maps);
}

int cstoppedcall_take(char *const arguments[], struct cstoppedcall *call) {
    const pid_t child = fork();
    if (child == 0) {
        setpgid(0, 0);
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
        raise(SIGSTOP);
        execv(arguments[0], arguments);
        _exit(127);
    }
    if (child < 0) return -1;
    setpgid(child, child);
    int result = -1, status, is_first = 1;
    pid_t thread;
    while (result != 0 && (thread = waitpid(-child, &status, __WALL)) > 0) {
        if (!WIFSTOPPED(status)) continue;
        int signal = 0;
        if (is_first) {
            is_first = 0;
            ptrace(
                PTRACE_SETOPTIONS, child, NULL,
                (void *)(long)(PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL));
        } else if (WSTOPSIG(status) == (SIGTRAP | 0x80)) {
            struct user_regs_struct registers;
            if (number_of_call(thread, &registers) == SYS_connect) {
                take(thread, &registers, call);
                result = 0;
            }
        } else if (WSTOPSIG(status) != SIGTRAP && WSTOPSIG(status) != SIGSTOP) {
            signal = WSTOPSIG(status);
        }
        ptrace(PTRACE_SYSCALL, thread, NULL, (void *)(long)signal);
    }
    kill(child, SIGKILL);
    while (waitpid(-child, &status, __WALL) > 0) {}
    return result;
}
// SPDX-License-Identifier: Apache-2.0
