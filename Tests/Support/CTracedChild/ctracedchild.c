#define _GNU_SOURCE
#include "CTracedChild.h"

#include <CLinux.h>
#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static _Noreturn void become(const char *program, char *const arguments[], int gate[2], int output) {
    char octet;
    close(gate[1]);
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    if (read(gate[0], &octet, 1) != 1) _exit(126);
    dup2(output, STDOUT_FILENO);
    // The tests' threads may block some.
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (clinux_stop_at_calls() != 0) _exit(125);
    execve(program, arguments, environ);
    _exit(127);
}

static int end(pid_t child) {
    int status = -1;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    return status;
}

struct ctracedchild ctracedchild_start(const char *program, char *const arguments[], int gate[2], int output) {
    struct ctracedchild started = {-1, -1};
    int numbers[2];
    if (pipe(numbers) != 0) return started;
    started.parent = fork();
    if (started.parent == 0) {
        const pid_t child = fork();
        if (child == 0) become(program, arguments, gate, output);
        close(gate[1]);
        if (write(numbers[1], &child, sizeof child) != sizeof child) _exit(126);
        const int status = end(child);
        _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    }
    close(numbers[1]);
    if (read(numbers[0], &started.process, sizeof started.process) != sizeof started.process) started.process = -1;
    close(numbers[0]);
    return started;
}

int ctracedchild_end(struct ctracedchild child) { return WEXITSTATUS(end(child.parent)); }
// SPDX-License-Identifier: Apache-2.0
