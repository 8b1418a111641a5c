// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "clinux_keeper.h"

#include "clinux_cgroup.h"
#include "clinux_descendants.h"
#include "clinux_event.h"
#include "clinux_pids.h"
#include "clinux_socket.h"
#include "clinux_terminal.h"
#include "clinux_tracing.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// The kind of keeper: PID 1 of a PID namespace, a subreaper, or the keeper of a server program (clinux_keeper.h).
struct mode {
    bool is_init;
    // The errno because of which there is no PID namespace; 0 if there is one, or if none was wanted (a server program).
    int obstacle;
    // Whether the keeper leaves the client's process group for its own before the client runs, so as not to be stopped or killed with it.
    bool leaves_group;
    // NULL if the client is no server program.
    const struct clinux_server *server;
    // Set for a server program with a log.
    struct clinux_output *output;
};

// If the runner is gone, the message is lost.
static void send_message(int control, struct clinux_message message) {
    clinux_send_message(control, &message, sizeof message, -1, true);
}

// MARK: - The client's side of the fork

// Reads one octet from the pipe `gate`. The keeper writes it when it has left this process's group and, for a traced client, when the
// runner traces this process or reports that it cannot. If the runner does, makes this process stop at the traced calls (clinux_tracing.h);
// otherwise the client runs untraced. Returns false if the keeper is gone.
static bool await_gate(const struct clinux_keeper *keeper, int gate) {
    // If only ancestors may trace (Yama), permit every process for now.
    if (keeper->is_traced) prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    char is_followed;
    ssize_t length;
    do length = read(gate, &is_followed, sizeof is_followed);
    while (length < 0 && errno == EINTR);
    if (length != sizeof is_followed) return false;
    if (keeper->is_traced) prctl(PR_SET_PTRACER, 0, 0, 0, 0);
    if (is_followed && clinux_stop_at_calls() != 0)
        send_message(keeper->control, (struct clinux_message){.kind = clinux_message_not_traced, .value = errno});
    return true;
}

// The process leads no session, so its terminal goes on with the others.
static void leave_terminal(void) {
    int terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (terminal < 0) return;
    ioctl(terminal, TIOCNOTTY);
    close(terminal);
}

static _Noreturn void become_client(
    const struct clinux_keeper *keeper, const struct mode *mode, pid_t parent, int gate, bool has_terminal
) {
    // SIGTTOU is blocked, so a background group may take the terminal.
    if (keeper->is_shell && has_terminal && setpgid(0, 0) == 0) tcsetpgrp(STDIN_FILENO, getpid());
    if (keeper->leaves_terminal) leave_terminal();
    // SIGKILL and SIGSTOP cannot be changed, and need not be.
    for (int number = 1; number <= 64; number++)
        clinux_ignore_signal(number, keeper->ignored_signals >> (number - 1) & 1);
    // Before the capabilities are dropped: without no_new_privs, a seccomp filter needs CAP_SYS_ADMIN (seccomp(2)).
    if (gate >= 0 && !await_gate(keeper, gate)) _exit(127);
    bool ready = clinux_set_capabilities(&keeper->capabilities) == 0;
    // After the capabilities, as changing those clears the parent-death signal (prctl(2)).
    if (!mode->is_init) ready = ready && prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0;
    // The keeper may have died before this process asked for that signal.
    if (getppid() != parent) _exit(127);

    if (ready) {
        // Signals that have arrived since the fork were blocked for the client, and are delivered now.
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

// Closes all descriptors except `kept`, which is in ascending order; negative ones are skipped. Otherwise a reader of the client's standard
// output would not get end-of-file when the client ends.
static void close_all_but(const int *kept, size_t count) {
    unsigned next = 0;
    for (size_t i = 0; i < count; i++) {
        if (kept[i] < 0) continue;
        if ((unsigned)kept[i] > next) close_range(next, (unsigned)kept[i] - 1, 0);
        next = (unsigned)kept[i] + 1;
    }
    close_range(next, ~0U, 0);
}

static void sort(int *numbers, size_t count) {
    for (size_t i = 1; i < count; i++)
        for (size_t j = i; j > 0 && numbers[j - 1] > numbers[j]; j--) {
            const int number = numbers[j];
            numbers[j] = numbers[j - 1];
            numbers[j - 1] = number;
        }
}

static void ignore(const int *numbers, size_t count) {
    for (size_t i = 0; i < count; i++) signal(numbers[i], SIG_IGN);
}

static void ignore_terminal(void) {
    static const int numbers[] = {SIGINT, SIGQUIT, SIGTSTP, SIGTTIN, SIGTTOU, SIGHUP, SIGTERM, SIGPIPE};
    ignore(numbers, sizeof numbers / sizeof *numbers);
}

// The signals that the keeper reads from a signalfd: SIGCHLD, and for PID 1, which is in the client's group, those that the terminal sends
// to that group: no other process reports them.
static void set_awaited_signals(const struct mode *mode, sigset_t *signals) {
    sigemptyset(signals);
    sigaddset(signals, SIGCHLD);
    if (!mode->is_init) return;
    sigaddset(signals, SIGHUP);
    sigaddset(signals, SIGINT);
    sigaddset(signals, SIGQUIT);
    sigaddset(signals, SIGTSTP);
}

// The status in the format of wait(2).
static int wait_status(const siginfo_t *end) {
    if (end->si_code == CLD_EXITED) return W_EXITCODE(end->si_status, 0);
    return end->si_status | (end->si_code == CLD_DUMPED ? WCOREFLAG : 0);
}

static void send_ended(int control, const siginfo_t *end, const struct rusage *usage) {
    send_message(control, (struct clinux_message){
        .kind = clinux_message_ended,
        .value = wait_status(end),
        .user_microseconds = usage->ru_utime.tv_sec * INT64_C(1000000) + usage->ru_utime.tv_usec,
        .system_microseconds = usage->ru_stime.tv_sec * INT64_C(1000000) + usage->ru_stime.tv_usec,
        .resident_kilobytes = usage->ru_maxrss,
    });
}

// Reaps ended children, and reports the client's stops and its end to the runner. True once the client has ended.
static bool client_has_ended(const struct clinux_keeper *keeper, pid_t client) {
    for (;;) {
        siginfo_t change = {0};
        struct rusage usage;
        // The system call, unlike the C library's function, returns the usage, and unlike wait4 distinguishes a stop from a trap. A client
        // that calls PTRACE_TRACEME has the keeper as its tracer, which does not continue it: it stays trapped at its next signal, and must
        // not be reported as stopped.
        if (syscall(SYS_waitid, P_ALL, 0, &change, WEXITED | WSTOPPED | WNOHANG, &usage) != 0 || change.si_pid == 0)
            return false;
        if (change.si_pid != client || change.si_code == CLD_TRAPPED) continue;
        if (change.si_code != CLD_STOPPED) {
            send_ended(keeper->control, &change, &usage);
            return true;
        }
        send_message(keeper->control,
                     (struct clinux_message){.kind = clinux_message_stopped, .value = change.si_status});
    }
}

// Sends SIGCONT to the client's process group. For the group in which the client started, `getpgid` returns 0 in a PID namespace, as the
// group's leader is outside; `kill(-0)` then signals the keeper's own group, which is the same one.
static void go_on(pid_t client) {
    const pid_t group = getpgid(client);
    if (group >= 0) kill(-group, SIGCONT);
}

static bool asks_for_end(int signal) {
    return signal == SIGHUP || signal == SIGINT || signal == SIGQUIT || signal == SIGTERM;
}

// Handles the runner's messages that have arrived. False once the runner has closed the control socket.
static bool handle_messages(int control, pid_t client) {
    struct clinux_message message;
    for (;;) {
        const ssize_t length = recv(control, &message, sizeof message, MSG_DONTWAIT);
        if (length < 0 && errno == EINTR) continue;
        if (length < 0 && errno == EAGAIN) return true;
        if (length <= 0) return false;
        if (length != sizeof message) continue;
        if (message.kind == clinux_message_signal) kill(client, message.value);
        // A stopped client would not handle a signal that asks it to end.
        if (message.kind == clinux_message_continue
            || (message.kind == clinux_message_signal && asks_for_end(message.value)))
            go_on(client);
    }
}

// Reads the signalfd: reports to the runner the signals that the terminal sent to the client's group (SI_KERNEL), and discards all others.
static void report_typed(const struct clinux_keeper *keeper, int signals) {
    struct signalfd_siginfo information;
    while (read(signals, &information, sizeof information) > 0) {
        if (information.ssi_signo == SIGCHLD || information.ssi_code != SI_KERNEL) continue;
        send_message(keeper->control,
                     (struct clinux_message){.kind = clinux_message_typed, .value = (int32_t)information.ssi_signo});
    }
}

// Returns once the client has ended (true) or the runner has hung up.
static bool await_end(const struct clinux_keeper *keeper, const struct mode *mode, pid_t client, int signals) {
    for (;;) {
        struct pollfd sources[3] = {
            {.fd = keeper->control, .events = POLLIN},
            {.fd = signals, .events = POLLIN},
            {.fd = mode->output ? mode->output->pipe : -1, .events = POLLIN},
        };
        if (poll(sources, 3, -1) < 0) continue;
        // First: when the client's end is reported, the log contains all of its output.
        if (sources[2].revents) clinux_take_output(mode->output);
        if (sources[1].revents) {
            // A typed signal is reported before the stop that it causes.
            report_typed(keeper, signals);
            if (client_has_ended(keeper, client)) return true;
        }
        if (sources[0].revents && !handle_messages(keeper->control, client)) return false;
    }
}

// Waits for the runner's next message. False if the runner is gone.
static bool await_message(int control, struct clinux_message *message) {
    for (;;) {
        const ssize_t length = recv(control, message, sizeof *message, 0);
        if (length == sizeof *message) return true;
        if (length == 0 || (length < 0 && errno != EINTR)) return false;
    }
}

// If the client is gone, the message is not read.
static void open_gate(int gate, char is_followed) {
    while (write(gate, &is_followed, sizeof is_followed) < 0 && errno == EINTR) {}
}

// Waits until the runner has reported whether it traces the client, and opens the gate, unless the runner is gone.
static void await_follower(const struct clinux_keeper *keeper, pid_t client, int gate) {
    struct clinux_message message;
    while (await_message(keeper->control, &message)) {
        if (message.kind == clinux_message_signal) kill(client, message.value);
        if (message.kind == clinux_message_followed) return open_gate(gate, message.value == 0);
    }
}

// Waits for the runner's "go", whose value is whether the client's group has the terminal. False if the runner is gone.
static bool await_go(int control, bool *has_terminal) {
    struct clinux_message message;
    while (await_message(control, &message)) {
        if (message.kind != clinux_message_go) continue;
        *has_terminal = message.value != 0;
        return true;
    }
    return false;
}

// The keeper's work: forks the client, reports to the runner how it ends, then ends all descendants and this process.
static _Noreturn void keep(const struct clinux_keeper *keeper, const struct mode *mode) {
    sigset_t awaited;
    set_awaited_signals(mode, &awaited);
    const struct clinux_family family = {
        .is_init = mode->is_init,
        .proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC),
        .child_signals = signalfd(-1, &awaited, SFD_CLOEXEC | SFD_NONBLOCK),
        .output = mode->output,
    };

    int gate[2] = {-1, -1};
    const bool needs_gate = keeper->is_traced || mode->leaves_group;
    const bool has_gate = !needs_gate || pipe2(gate, O_CLOEXEC) == 0;
    bool has_terminal = keeper->has_terminal;
    if (keeper->waits_for_go && !await_go(keeper->control, &has_terminal)) _exit(127);
    const pid_t self = getpid();
    // The runner may attach to the client as soon as it knows of it, even before the client has done anything, so it must be dumpable from
    // the start. (A process that is not dumpable can be traced only with CAP_SYS_PTRACE in the user namespace in which its memory was made
    // by exec, `mm->user_ns` in the kernel: here that is the one outside the runner's, in which the runner may have no capability.)
    if (keeper->is_traced) prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
    const pid_t client = family.child_signals < 0 || !has_gate ? -1 : fork();
    // The keeper itself must not stay traceable; the client still waits for the octet from `gate`.
    if (keeper->is_traced && client != 0 && mode->is_init) prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    if (client == 0) {
        if (needs_gate) close(gate[1]);
        become_client(keeper, mode, self, gate[0], has_terminal);
    }
    if (client < 0) {
        send_message(keeper->control, (struct clinux_message){.kind = clinux_message_not_forked, .value = errno});
        _exit(127);
    }
    if (mode->leaves_group) setpgid(0, 0);
    const int descriptor = (int)syscall(SYS_pidfd_open, client, 0);
    const struct clinux_message started = {.kind = clinux_message_started, .value = mode->obstacle};
    clinux_send_message(keeper->control, &started, sizeof started, descriptor, true);
    // If the runner is gone, nothing is written: the pipe is closed below, and the client reads end-of-file and exits.
    if (keeper->is_traced) {
        await_follower(keeper, client, gate[1]);
    } else if (needs_gate) {
        open_gate(gate[1], false);
    }
    int kept[] = {
        keeper->control, family.proc, family.child_signals,
        mode->output ? mode->output->pipe : -1, mode->output ? mode->output->log : -1, mode->server ? mode->server->lease : -1,
    };
    sort(kept, sizeof kept / sizeof *kept);
    close_all_but(kept, sizeof kept / sizeof *kept);
    ignore_terminal();
    sigprocmask(SIG_SETMASK, &awaited, NULL);

    // Time for the remaining processes to end by themselves before they are reported, such as the last process of a pipeline or a browser's
    // crash reporter, on a busy machine, too; cargo-nextest's limit for leaks is the same. Only runs with remaining processes wait.
    enum { grace_in_milliseconds = 200 };
    if (await_end(keeper, mode, client, family.child_signals)
        && clinux_await_descendants(&family, grace_in_milliseconds)) {
        struct clinux_survivors survivors;
        clinux_list_descendants(&family, &survivors);
        if (survivors.count > 0) clinux_send_message(keeper->control, &survivors, sizeof survivors, -1, true);
    }
    if (mode->server && mode->server->grace > 0 && clinux_reap()) {
        clinux_terminate_descendants(&family);
        clinux_await_descendants(&family, mode->server->grace);
    }
    clinux_end_descendants(&family);
    if (mode->output && mode->output->pipe >= 0) clinux_take_output(mode->output);
    _exit(0);
}

// Prepares the process for becoming a keeper.
static void prepare(void) {
    // Not the program's name, so that `pkill ipv6check` does not kill the keeper, which has to clean up then.
    prctl(PR_SET_NAME, "keeper", 0, 0, 0);
    // If SIGCHLD were ignored, children would vanish unreaped.
    signal(SIGCHLD, SIG_DFL);
    // Blocks all signals, so that none is lost between the forks and the restoration of the client's own dispositions.
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
}

// MARK: - The guard

// Forks a keeper that is PID 1 of a PID namespace. Returns -1 with errno set if that is not possible.
static pid_t fork_init_keeper(const struct clinux_keeper *keeper) {
    int news[2];
    if (pipe2(news, O_CLOEXEC) != 0) return -1;
    const pid_t child = clinux_fork_init();
    if (child == 0) {
        // The keeper ends with the guard. If the guard has ended before this call, the write below fails with EPIPE.
        prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
        close(news[0]);
        const int obstacle = clinux_show_own_pids();
        // The client must not trace the keeper. (A client with CAP_SYS_PTRACE in the machine's user namespace can: it can do anything.)
        prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
        if (write(news[1], &obstacle, sizeof obstacle) != sizeof obstacle || obstacle != 0) _exit(127);
        close(news[1]);
        keep(keeper, &(struct mode){.is_init = true});
    }
    int obstacle = errno;
    close(news[1]);
    if (child > 0) {
        ssize_t length;
        do length = read(news[0], &obstacle, sizeof obstacle);
        while (length < 0 && errno == EINTR);
        // The keeper was killed.
        if (length != sizeof obstacle) obstacle = ECHILD;
        if (obstacle != 0) waitpid(child, NULL, 0);
    }
    close(news[0]);
    errno = obstacle;
    return child > 0 && obstacle == 0 ? child : -1;
}

// Forks a keeper that is a subreaper. Returns -1 with errno set if that is not possible.
static pid_t fork_subreaper_keeper(const struct clinux_keeper *keeper, int obstacle, bool *has_group) {
    // Inherits the descendants of a killed keeper.
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    const pid_t self = getpid();
    *has_group = clinux_make_cgroup(self);
    const pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
        if (*has_group) clinux_enter_cgroup(self);
        keep(keeper, &(struct mode){.obstacle = obstacle, .leaves_group = true});
    }
    return child;
}

// Whether the keeper, which was seen stopped, is still stopped after one second. (When a stopped job is continued, the guard may run before
// the keeper has been continued.)
static bool stays_stopped(pid_t keeper) {
    struct timespec second = {.tv_sec = 1};
    while (nanosleep(&second, &second) != 0 && errno == EINTR) {}
    siginfo_t change = {0};
    return waitid(P_PID, keeper, &change, WSTOPPED | WNOHANG) == 0 && change.si_pid == keeper;
}

// The runner's process id, for the signal handler.
static pid_t guarded_runner;

// Handles a signal that was sent to the runner's process group: sends it to the client's group, too, as if the two were one group.
// ("timeout" signals its group, a shell its job.) The client's group has this process's id.
static void pass_on(int number, siginfo_t *information, void *context) {
    (void)context;
    // The runner signals its own group only to repeat what the client's group has received already (JobControl.swift,
    // TerminalForeground.suspend).
    if (information->si_code == SI_USER && information->si_pid == guarded_runner) return;
    const int reason = errno;
    kill(-getpid(), number);
    errno = reason;
}

// Installs the handlers, and unblocks all signals, which have been blocked since `prepare`.
static void pass_on_signals(void) {
    static const int ignored[] = {SIGTTIN, SIGTTOU, SIGPIPE};
    static const int passed[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGCONT, SIGWINCH};
    ignore(ignored, sizeof ignored / sizeof *ignored);
    struct sigaction action = {.sa_sigaction = pass_on, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigset_t none;
    sigemptyset(&none);
    for (size_t i = 0; i < sizeof passed / sizeof *passed; i++) sigaction(passed[i], &action, NULL);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

// The guard's work: waits for the keeper's end, kills a keeper that stays stopped, then ends all remaining descendants and this process.
static _Noreturn void guard(pid_t keeper, bool has_group) {
    prctl(PR_SET_NAME, "guard", 0, 0, 0);
    const struct clinux_family family = {
        .proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC), .child_signals = -1};
    const int terminal = clinux_open_terminal();
    int kept[] = {family.proc, terminal};
    sort(kept, sizeof kept / sizeof *kept);
    close_all_but(kept, sizeof kept / sizeof *kept);
    pass_on_signals();
    for (;;) {
        siginfo_t change = {0};
        if (waitid(P_PID, keeper, &change, WEXITED | WSTOPPED | WNOWAIT) != 0) {
            if (errno == EINTR) continue;
            break;
        }
        if (change.si_code == CLD_STOPPED) {
            if (stays_stopped(keeper)) kill(keeper, SIGKILL);
            continue;
        }
        break;
    }
    clinux_end_descendants(&family);
    // Normally the runner takes the terminal back, but it may be gone.
    clinux_take_terminal_back(terminal, getpid());
    if (has_group) clinux_end_cgroup(getpid());
    _exit(0);
}

int clinux_keep(const struct clinux_keeper *keeper) {
    prepare();
    guarded_runner = getppid();
    pid_t child = fork_init_keeper(keeper);
    bool has_group = false;
    if (child < 0) {
        const int obstacle = errno;
        struct clinux_keeper subreaper = *keeper;
        // A subreaper does not end with this process, so it is not started before "go": until then, killing this process ends everything.
        if (keeper->waits_for_go && !await_go(keeper->control, &subreaper.has_terminal)) _exit(127);
        subreaper.waits_for_go = false;
        child = fork_subreaper_keeper(&subreaper, obstacle, &has_group);
    }
    if (child < 0) return -1;
    // The client is in the group that this process leads, and must not be able to signal this process through it.
    setpgid(0, getpgid(guarded_runner));
    guard(child, has_group);
}

// MARK: - Server programs

// Sets up a server program's standard input and output: the connection, which is made blocking, or /dev/null and the standard error.
static bool open_streams(int connection) {
    if (connection < 0) {
        const int nothing = open("/dev/null", O_RDONLY);
        return nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0;
    }
    const int flags = fcntl(connection, F_GETFL);
    return flags >= 0 && fcntl(connection, F_SETFL, flags & ~O_NONBLOCK) == 0
        && dup2(connection, STDIN_FILENO) >= 0 && dup2(connection, STDOUT_FILENO) >= 0;
}

// Moves a descriptor out of the way of `clinux_server_file`.
static bool move_up(int *descriptor) {
    if (*descriptor < 0) return true;
    *descriptor = fcntl(*descriptor, F_DUPFD_CLOEXEC, clinux_server_file + 1);
    return *descriptor >= 0;
}

// Makes the file the program's descriptor `clinux_server_file`. Does nothing if there is none (-1).
static bool open_file(int file) {
    return file < 0 || (file == clinux_server_file ? fcntl(file, F_SETFD, 0) == 0 : dup2(file, clinux_server_file) >= 0);
}

// Redirects the standard error to a pipe that the keeper reads: the keeper lives as long as the program, whichever other processes have
// ended.
static bool open_output(int log, struct clinux_output *output) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    *output = (struct clinux_output){.pipe = ends[0], .log = log};
    return move_up(&output->pipe) && fcntl(output->pipe, F_SETFL, O_NONBLOCK) == 0
        && dup2(ends[1], STDERR_FILENO) >= 0 && close(ends[1]) == 0;
}

pid_t clinux_keep_server(const struct clinux_keeper *keeper, const struct clinux_server *server) {
    const pid_t pid = fork();
    if (pid != 0) return pid;
    // The other threads do not exist here, and their locks stay locked: nothing below allocates.
    //
    // Its own session: signals typed at the runner's terminal are not for the server.
    setsid();
    struct clinux_keeper own_keeper = *keeper;
    struct clinux_server own_server = *server;
    struct clinux_output output;
    if (close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC) == 0
        && move_up(&own_keeper.control) && move_up(&own_server.log) && move_up(&own_server.lease)
        && (own_server.log < 0 || open_output(own_server.log, &output)) && open_streams(server->connection)
        && open_file(server->file)) {
        prepare();
        prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
        keep(&own_keeper, &(struct mode){.server = &own_server, .output = own_server.log < 0 ? NULL : &output});
    }
    _exit(127);
}

// MARK: - Own descendants

void clinux_adopt_orphans(void) { prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

void clinux_end_own_descendants(void) {
    const struct clinux_family family = {
        .proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC), .child_signals = -1};
    clinux_end_descendants(&family);
    if (family.proc >= 0) close(family.proc);
}

// MARK: - Ending a child

// Maximum time for the kernel to end a killed process, in milliseconds.
enum { killing_limit = 500 };

// Waits so many milliseconds for the child to end, reaps it and stores its wait status. True if it has ended or is no longer a child.
// `descriptor` is its pidfd, or -1.
static bool has_ended(pid_t child, int descriptor, int milliseconds, int *status) {
    if (descriptor >= 0) {
        struct pollfd end = {.fd = descriptor, .events = POLLIN};
        int ready;
        do ready = poll(&end, 1, milliseconds);
        while (ready < 0 && errno == EINTR);
        return ready > 0 && waitpid(child, status, 0) != 0;
    }
    // Without a pidfd, check every millisecond.
    for (; waitpid(child, status, WNOHANG) == 0; milliseconds--) {
        if (milliseconds <= 0) return false;
        poll(NULL, 0, 1);
    }
    return true;
}

int clinux_end_child(pid_t child, int milliseconds) {
    const int descriptor = (int)syscall(SYS_pidfd_open, child, 0);
    int status = -1;
    // If kill fails (EPERM), the child is not waited for any longer: it has been told to end.
    if (!has_ended(child, descriptor, milliseconds, &status) && kill(child, SIGKILL) == 0)
        has_ended(child, descriptor, killing_limit, &status);
    if (descriptor >= 0) close(descriptor);
    return status;
}
