// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CSystemCall.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>

#if defined(__x86_64__)

struct csystemcall_victim {
    int process;
    struct user_regs_struct registers;
};

// The length of the instruction `syscall`.
enum { instruction = 2 };

struct csystemcall_victim *csystemcall_begin(int process) {
    struct csystemcall_victim *victim = malloc(sizeof *victim);
    victim->process = process;
    int status;
    if (ptrace(PTRACE_SEIZE, process, 0, 0) != 0 || ptrace(PTRACE_INTERRUPT, process, 0, 0) != 0
        || waitpid(process, &status, __WALL) < 0 || ptrace(PTRACE_GETREGS, process, 0, &victim->registers) != 0) {
        const int error = errno;
        free(victim);
        errno = error;
        return NULL;
    }
    return victim;
}

long csystemcall_make_in(struct csystemcall_victim *victim, long number, const long a[6]) {
    struct user_regs_struct registers = victim->registers;
    registers.rip -= instruction;
    registers.rax = (unsigned long)number;
    // It is not to be taken for the call in which the thread was stopped.
    registers.orig_rax = (unsigned long)-1;
    registers.rdi = (unsigned long)a[0];
    registers.rsi = (unsigned long)a[1];
    registers.rdx = (unsigned long)a[2];
    registers.r10 = (unsigned long)a[3];
    registers.r8 = (unsigned long)a[4];
    registers.r9 = (unsigned long)a[5];
    int status;
    if (ptrace(PTRACE_SETREGS, victim->process, 0, &registers) != 0
        || ptrace(PTRACE_SINGLESTEP, victim->process, 0, 0) != 0 || waitpid(victim->process, &status, __WALL) < 0
        || !WIFSTOPPED(status) || ptrace(PTRACE_GETREGS, victim->process, 0, &registers) != 0)
        return -1;
    return (long)registers.rax;
}

void csystemcall_end(struct csystemcall_victim *victim) {
    struct user_regs_struct registers = victim->registers;
    registers.rip -= instruction;
    registers.rax = registers.orig_rax;
    registers.orig_rax = (unsigned long)-1;
    ptrace(PTRACE_SETREGS, victim->process, 0, &registers);
    ptrace(PTRACE_DETACH, victim->process, 0, 0);
    free(victim);
}

#else

struct csystemcall_victim *csystemcall_begin(int process) {
    (void)process;
    errno = ENOTSUP;
    return NULL;
}

long csystemcall_make_in(struct csystemcall_victim *victim, long number, const long a[6]) {
    (void)victim;
    (void)number;
    (void)a;
    errno = ENOTSUP;
    return -1;
}

void csystemcall_end(struct csystemcall_victim *victim) { (void)victim; }

#endif
