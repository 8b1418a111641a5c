// SPDX-License-Identifier: Apache-2.0
// first_calls FUNCTIONS RESULT -- PROGRAM [ARGUMENT…]
//
// Runs the program and writes the addresses of those functions that it and the processes that it forks call, each once, in the order of
// the first calls. FUNCTIONS and RESULT are files of hexadecimal addresses, a line each; the program is loaded at a fixed address.
//
// Each function begins with a breakpoint, which is taken away when it is met: a run takes no longer than some thousand of these.

#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { page = 4096, breakpoint = 0xcc, first = 0x400000, end = 0x4000000 };

static bool is_function[end], was_called[end];
static uint8_t original[end];

static _Noreturn void fail(const char *what) {
    perror(what);
    exit(2);
}

static int memory(pid_t process) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/mem", process);
    const int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0) fail(path);
    return file;
}

static void set_breakpoints(pid_t process) {
    const int file = memory(process);
    for (size_t start = first; start < end; start += page) {
        uint8_t changed[page];
        // Not all of the range is mapped.
        if (pread(file, original + start, page, (off_t)start) != page) continue;
        memcpy(changed, original + start, page);
        bool has_function = false;
        for (size_t i = 0; i < page; i++) {
            if (!is_function[start + i]) continue;
            changed[i] = breakpoint;
            has_function = true;
        }
        if (has_function && pwrite(file, changed, page, (off_t)start) != page) fail("pwrite");
    }
    close(file);
}

// Takes the breakpoint away at which a thread has stopped, if it is one. Another thread may have met it at the same time.
static void pass_breakpoint(pid_t thread, FILE *result) {
    struct user_regs_struct registers;
    if (ptrace(PTRACE_GETREGS, thread, 0, &registers) != 0) return;
    const size_t address = registers.rip - 1;
    if (address < first || address >= end || !is_function[address]) return;
    if (!was_called[address]) fprintf(result, "%zx\n", address);
    was_called[address] = true;
    const int file = memory(thread);
    if (pwrite(file, original + address, 1, (off_t)address) != 1) fail("pwrite");
    close(file);
    registers.rip = address;
    ptrace(PTRACE_SETREGS, thread, 0, &registers);
}

// Returns the wait status of the program itself.
static int follow(pid_t program, FILE *result) {
    bool has_breakpoints = false;
    int status, last = -1;
    pid_t thread;
    while ((thread = waitpid(-1, &status, __WALL)) > 0) {
        if (!WIFSTOPPED(status)) {
            if (thread == program) last = status;
            continue;
        }
        int number = WSTOPSIG(status);
        const int event = status >> 16;
        // Later ones are clients: other programs.
        if (event == PTRACE_EVENT_EXEC && !has_breakpoints) {
            set_breakpoints(thread);
            has_breakpoints = true;
        }
        if (number == SIGTRAP && event == 0) pass_breakpoint(thread, result);
        if (number == SIGTRAP || number == SIGSTOP) number = 0;
        ptrace(PTRACE_CONT, thread, 0, number);
    }
    return last;
}

int main(int count, char **arguments) {
    if (count < 5) {
        fputs("usage: first_calls FUNCTIONS RESULT -- PROGRAM [ARGUMENT…]\n", stderr);
        return 2;
    }
    FILE *functions = fopen(arguments[1], "r"), *result = fopen(arguments[2], "w");
    if (functions == NULL || result == NULL) fail("fopen");
    size_t address;
    while (fscanf(functions, "%zx", &address) == 1)
        if (address >= first && address < end) is_function[address] = true;
    const pid_t process = fork();
    if (process < 0) fail("fork");
    if (process == 0) {
        ptrace(PTRACE_TRACEME, 0, 0, 0);
        raise(SIGSTOP);
        execvp(arguments[4], arguments + 4);
        fail(arguments[4]);
    }
    if (waitpid(process, NULL, 0) != process) fail("waitpid");
    ptrace(PTRACE_SETOPTIONS, process, 0,
           PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL);
    ptrace(PTRACE_CONT, process, 0, 0);
    const int status = follow(process, result);
    return fclose(result) == 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}
