#define _GNU_SOURCE
#include "clinux_keeper.h"

#include "clinux_event.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static void send_message(int control, struct clinux_message message) {
    // A runner that is gone needs no message.
    while (send(control, &message, sizeof message, MSG_NOSIGNAL) < 0 && errno == EINTR) {}
}

// MARK: - The client's side of the fork

static _Noreturn void become_client(const struct clinux_keeper *keeper, pid_t parent) {
    // SIGKILL and SIGSTOP refuse, and need no change.
    for (int number = 1; number <= 64; number++)
        clinux_ignore_signal(number, keeper->ignored_signals >> (number - 1) & 1);
    bool ready = clinux_set_capabilities(&keeper->capabilities) == 0;
    // After the capabilities, as a change of those clears it. The keeper may have died before.
    ready = ready && prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0;
    if (getppid() != parent) _exit(127);

    if (ready) {
        // Signals that came since the fork were kept for the client, and reach it now.
        sigset_t blocked;
        sigemptyset(&blocked);
        for (int number = 1; number <= 64; number++)
            if (keeper->blocked_signals >> (number - 1) & 1) sigaddset(&blocked, number);
        sigprocmask(SIG_SETMASK, &blocked, NULL);
        execve(keeper->program, keeper->arguments, keeper->environment);
    }
    send_message(keeper->control, (struct clinux_message){.kind = clinux_message_not_executed, .value = errno});
    _exit(127);
}

// MARK: - The keeper's side

// Lets go of the user's files, so that whoever reads from the client sees its end when it ends.
static void close_all_but(int one, int other) {
    const unsigned low = one < other ? one : other, high = one < other ? other : one;
    if (low > 0) close_range(0, low - 1, 0);
    if (high - low > 1) close_range(low + 1, high - 1, 0);
    close_range(high + 1, ~0U, 0);
}

static void ignore_terminal(void) {
    static const int numbers[] = {SIGINT, SIGQUIT, SIGTSTP, SIGTTIN, SIGTTOU, SIGHUP, SIGTERM, SIGPIPE};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) signal(numbers[i], SIG_IGN);
}

// Kills every child. The kernel lists them where CONFIG_PROC_CHILDREN is set, as distributions do.
static void kill_children(void) {
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    const int list = open(path, O_RDONLY | O_CLOEXEC);
    if (list < 0) return;
    pid_t child = 0;
    for (ssize_t length; (length = read(list, text, sizeof text)) > 0;) {
        for (ssize_t i = 0; i < length; i++) {
            if (text[i] >= '0' && text[i] <= '9') {
                child = child * 10 + (text[i] - '0');
            } else if (child > 0) {
                kill(child, SIGKILL);
                child = 0;
            }
        }
    }
    close(list);
}

static bool reap(void) {
    for (;;) {
        const pid_t ended = waitpid(-1, NULL, WNOHANG);
        if (ended == 0) return true;
        if (ended < 0 && errno != EINTR) return false;
    }
}

// Ends every descendant. One that loses its parent to this becomes a child of ours, and its turn comes.
static void end_descendants(int child_signals) {
    while (reap()) {
        kill_children();
        // Woken by the next death; and the list may have missed a child while others were dying.
        struct pollfd deaths = {.fd = child_signals, .events = POLLIN};
        if (poll(&deaths, 1, 20) > 0) {
            struct signalfd_siginfo information;
            while (read(child_signals, &information, sizeof information) > 0) {}
        }
    }
}

// Reaps what has ended; true once the client is among it, of which the runner has been told.
static bool client_has_ended(const struct clinux_keeper *keeper, pid_t client) {
    int status;
    struct rusage usage;
    pid_t ended;
    while ((ended = wait4(-1, &status, WNOHANG, &usage)) > 0) {
        if (ended != client) continue;
        send_message(keeper->control, (struct clinux_message){
            .kind = clinux_message_ended,
            .value = status,
            .user_microseconds = usage.ru_utime.tv_sec * INT64_C(1000000) + usage.ru_utime.tv_usec,
            .system_microseconds = usage.ru_stime.tv_sec * INT64_C(1000000) + usage.ru_stime.tv_usec,
            .resident_kilobytes = usage.ru_maxrss,
        });
        return true;
    }
    return false;
}

// Does what the runner says; false once it has hung up.
static bool obey(int control, pid_t client) {
    struct clinux_message message;
    for (;;) {
        const ssize_t length = recv(control, &message, sizeof message, MSG_DONTWAIT);
        if (length < 0 && errno == EINTR) continue;
        if (length < 0 && errno == EAGAIN) return true;
        if (length <= 0) return false;
        if (length == sizeof message && message.kind == clinux_message_signal) kill(client, message.value);
    }
}

int clinux_keep(const struct clinux_keeper *keeper) {
    // Not by the name of the program: whoever kills that by its name wants the keeper to do its work.
    prctl(PR_SET_NAME, "keeper", 0, 0, 0);
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    // Ignored, SIGCHLD would let children vanish unreaped.
    signal(SIGCHLD, SIG_DFL);

    // No signal is lost between the fork and the client's own dispositions.
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    sigset_t child_signal;
    sigemptyset(&child_signal);
    sigaddset(&child_signal, SIGCHLD);
    const int child_signals = signalfd(-1, &child_signal, SFD_CLOEXEC | SFD_NONBLOCK);

    const pid_t self = getpid();
    const pid_t client = child_signals < 0 ? -1 : fork();
    if (client == 0) become_client(keeper, self);
    if (client < 0) return -1;
    close_all_but(keeper->control, child_signals);
    ignore_terminal();
    sigprocmask(SIG_SETMASK, &child_signal, NULL);
    send_message(keeper->control, (struct clinux_message){.kind = clinux_message_started, .value = client});

    for (;;) {
        struct pollfd sources[2] = {
            {.fd = keeper->control, .events = POLLIN},
            {.fd = child_signals, .events = POLLIN},
        };
        if (poll(sources, 2, -1) < 0) continue;
        if (sources[1].revents) {
            struct signalfd_siginfo information;
            while (read(child_signals, &information, sizeof information) > 0) {}
            if (client_has_ended(keeper, client)) break;
        }
        if (sources[0].revents && !obey(keeper->control, client)) break;
    }
    end_descendants(child_signals);
    _exit(0);
}

pid_t clinux_keep_server(const struct clinux_keeper *keeper, int connection) {
    const pid_t pid = fork();
    if (pid != 0) return pid;
    // The other threads are not here, and what they had locked stays locked: nothing below allocates.
    //
    // A session of its own: what is typed at the runner's terminal is not the server's.
    setsid();
    const int flags = fcntl(connection, F_GETFL);
    if (flags >= 0 && fcntl(connection, F_SETFL, flags & ~O_NONBLOCK) == 0
        && dup2(connection, STDIN_FILENO) >= 0 && dup2(connection, STDOUT_FILENO) >= 0
        && close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC) == 0)
        clinux_keep(keeper);
    _exit(127);
}
