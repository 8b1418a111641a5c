// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "clinux_terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

int clinux_open_terminal(void) { return open("/dev/tty", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC); }

static bool set_foreground(int terminal, pid_t group, int how) {
    sigset_t output, before;
    sigemptyset(&output);
    sigaddset(&output, SIGTTOU);
    pthread_sigmask(how, &output, &before);
    const bool done = tcsetpgrp(terminal, group) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return done;
}

bool clinux_set_foreground(int terminal, pid_t group) { return set_foreground(terminal, group, SIG_BLOCK); }

bool clinux_ask_for_foreground(int terminal, pid_t group) {
    // If SIGTTOU were ignored, this process would take the terminal from the group that has it.
    const struct sigaction stopping = {.sa_handler = SIG_DFL};
    struct sigaction before;
    sigaction(SIGTTOU, &stopping, &before);
    const bool done = set_foreground(terminal, group, SIG_UNBLOCK);
    sigaction(SIGTTOU, &before, NULL);
    return done;
}

bool clinux_group_exists(pid_t group) { return group > 0 && (kill(-group, 0) == 0 || errno == EPERM); }

pid_t clinux_fork_leader(void) {
    const pid_t leader = fork();
    if (leader == 0)
        for (;;) pause();
    if (leader > 0) setpgid(leader, leader);
    return leader;
}

void clinux_take_terminal_back(int terminal, pid_t group) {
    const pid_t current = tcgetpgrp(terminal);
    if (current <= 0 || current == getpgrp()) return;
    if (current == group || !clinux_group_exists(current)) clinux_set_foreground(terminal, getpgrp());
}
