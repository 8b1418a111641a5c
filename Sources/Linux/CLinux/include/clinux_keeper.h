// SPDX-License-Identifier: Apache-2.0
// The keeper: the process between the runner and the client. It is C because no Swift may run between fork and exec.
//
// Theory of operation. The launcher becomes the guard when everything is ready, and forks the keeper, whose child becomes the
// client. There are two kinds of keeper for a client:
//
//   PID namespace  The keeper is PID 1 of a PID namespace, with its own /proc mounted for it and the client. The client sees no
//                  process outside and cannot kill or stop its keeper; when the keeper ends, the kernel kills all of them.
//   subreaper      If there is no such namespace or /proc, the keeper inherits every descendant of the client that loses its
//                  parent, and so knows the processes that the client has started. The client can kill it: then the client gets
//                  SIGKILL (PR_SET_PDEATHSIG), and the guard inherits the others. If possible, the keeper and all its descendants
//                  are in a control group (clinux_cgroup.h), whose processes the runner kills even if the client has killed the
//                  guard as well.
//
// The keeper waits for two things:
//
//   the client's end  it reports to the runner how the client ended, and its remaining processes,
//   the runner's end  the control socket closes, however the runner died,
//
// and after either it kills and reaps all descendants, and exits. The guard ends with the keeper, and kills a keeper that has been
// stopped; a PID namespace's keeper ends with its guard, too.
//
// The runner's own namespace, interface and files are descriptors and references that disappear with these processes.
//
// Process groups. The launcher leads its own group, in which the client starts, and as the guard returns to the runner's group. So a
// client that stops or kills its group (`kill 0`) affects neither the runner nor the guard, and since it leads no group, setsid works as in
// a script. PID 1 of a PID namespace is in the client's group, where the client cannot harm it, and reports signals typed at the
// terminal to the runner. A subreaper has a third group, so that it outlives a runner that is killed with its group. The guard passes
// signals to the runner's group on to the client's.
//
// The terminal. The runner gives it to the client's group (TerminalForeground.swift). A group outside the PID namespace has the number 0
// inside, and some shells (dash) fail to give the terminal back to that. So a shell that starts in the foreground gets a group that it
// leads, as it would make for itself. The keeper reports to the runner when the client is stopped.
#ifndef CLINUX_KEEPER_H
#define CLINUX_KEEPER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "clinux_namespace.h"

// Messages over the control socket, one per datagram, each starting with one of these kinds.
enum {
    // Launcher to runner: contains the other end of the client's link.
    clinux_message_link = 1,
    // Launcher to runner: the launch failed; contains the reason in the launcher's own encoding.
    clinux_message_failed = 2,
    // Runner to keeper, or to a launcher that awaits the router's advertisement first: start the client. `value` is whether its group
    // is in the terminal's foreground.
    clinux_message_go = 3,
    // Keeper to runner, with a descriptor of the client (pidfd): it has been forked. `value` is the errno because of which there is
    // no PID namespace; 0 if there is one, or if none was wanted (a server program).
    clinux_message_started = 4,
    // The client-to-be to runner: `value` is the errno of exec.
    clinux_message_not_executed = 5,
    // Keeper to runner: `value` is the wait status; with the resource usage.
    clinux_message_ended = 6,
    // Runner to keeper: send the client the signal `value`; one that asks it to end also continues its process group.
    clinux_message_signal = 7,
    // Launcher to runner: contains the socket that the client can send to.
    clinux_message_socket = 8,
    // Keeper to runner, after the client's end: a struct clinux_survivors.
    clinux_message_survivors = 9,
    // Zygote, launcher or keeper to runner: `value` is the errno because of which no process can be started for the client.
    clinux_message_not_forked = 10,
    // Keeper to runner: the client was stopped by the signal `value`.
    clinux_message_stopped = 11,
    // Runner to keeper: continue the client's process group.
    clinux_message_continue = 12,
    // Runner to keeper, in answer to `started` if the plan has the client traced: the client may start, and is traced (`value` is 0) or
    // cannot be.
    clinux_message_followed = 13,
    // The client-to-be to runner: `value` is the errno because of which it does not stop at its calls.
    clinux_message_not_traced = 14,
    // Launcher to runner, if the plan has it so: contains a route socket of the client's network namespace.
    clinux_message_routes = 15,
    // Launcher to runner, after that: contains a file that is shown to the client, open for writing.
    clinux_message_file = 16,
    // Runner to zygote: fork a launcher, and give it the enclosed end of its control socket, over which it answers `launched` or
    // `not_forked`.
    clinux_message_launch = 17,
    // Launcher to runner, before all others: `value` is its process id.
    clinux_message_launched = 18,
    // Runner to launcher, before the following ones: the client's network, in the launcher's own encoding.
    clinux_message_network = 21,
    // Runner to launcher: the enclosed descriptor becomes the standard stream `value`.
    clinux_message_stream = 19,
    // Runner to launcher, after that: contains a file with the plan.
    clinux_message_plan = 20,
    // Keeper to runner: the terminal sent the client's process group the signal `value`, as for ^C.
    clinux_message_typed = 22,
    // Launcher to runner: contains a socket that listens at a loopback address of the client.
    clinux_message_listener = 23,
    // Launcher to runner, if the plan has it so: contains the socket with the kernel's messages about closed ones
    // (clinux_closed_sockets.h), and in a second message the one that is closed last. Without a descriptor: the kernel has no such messages.
    clinux_message_closed_sockets = 24,
};

struct clinux_message {
    int32_t kind;
    int32_t value;
    int64_t user_microseconds;
    int64_t system_microseconds;
    int64_t resident_kilobytes;
};

enum {
    clinux_survivor_limit = 16,
    // TASK_COMM_LEN, with the final NUL.
    clinux_process_name_size = 16,
};

struct clinux_survivor {
    // The process id that the client sees.
    int32_t process;
    // The program's name, truncated by the kernel; padded with NUL.
    char name[clinux_process_name_size];
};

// The processes that still ran when the client had ended and after they had some time to end by themselves.
struct clinux_survivors {
    int32_t kind;
    // Number of entries in `list`.
    int32_t count;
    // Number of processes that did not fit.
    int32_t more;
    struct clinux_survivor list[clinux_survivor_limit];
};

struct clinux_keeper {
    // The control socket.
    int control;
    // The client's path, arguments and environment.
    const char *program;
    char *const *arguments;
    char *const *environment;
    // The client's original values of properties that this process has changed; bit n - 1 is signal n.
    uint64_t ignored_signals;
    uint64_t blocked_signals;
    struct clinux_capabilities capabilities;
    // Whether it is an interactive shell.
    bool is_shell;
    // Whether its group is in the terminal's foreground; if the keeper waits for "go", that message decides instead.
    bool has_terminal;
    // Whether the keeper waits for `clinux_message_go` before it starts the client. Everything else is done before.
    bool waits_for_go;
    // Whether the client waits until the runner traces it, and then stops at its calls (clinux_tracing.h).
    bool is_traced;
    // Whether the client has no controlling terminal.
    bool leaves_terminal;
};

// Becomes the guard of a keeper, and returns only if there can be no keeper: -1 with errno set. The calling process must have
// one thread, and every descriptor that the client must not have must be close-on-exec.
int clinux_keep(const struct clinux_keeper *keeper);

enum {
    // The descriptor of the file that is passed to a server program.
    clinux_server_file = 3,
    // Maximum octets of output kept, for all processes of a server program together.
    clinux_server_log_limit = 1 << 20,
};

// The options of a server program in addition to a client's. Each of the descriptors may be -1.
struct clinux_server {
    // Its standard input and output. If -1, its input is empty, and its output goes to its standard error.
    int connection;
    // The program's descriptor `clinux_server_file`.
    int file;
    // Receives its standard error, opened for appending. If -1, that is this process's standard error.
    int log;
    // Kept open until the program and all processes that it has started have ended.
    int lease;
    // Time between SIGTERM and SIGKILL for the program and all processes that it has started, in milliseconds; if 0, there is no SIGTERM.
    int grace;
};

// Forks a keeper, a subreaper without a guard, whose client is a server program. The calling process may have other threads.
// Returns the keeper's process id, or -1 with errno set.
pid_t clinux_keep_server(const struct clinux_keeper *keeper, const struct clinux_server *server);

// Makes this process the parent of its descendants' orphans from now on (a subreaper).
void clinux_adopt_orphans(void);

// Kills all descendants of this process, which must be a subreaper, and waits for their end.
void clinux_end_own_descendants(void);

// Waits for the end of a child process, and kills it by SIGKILL after so many milliseconds. Returns its wait status, or -1 if it does
// not end even then: one of its threads may be blocked in a file system that hangs.
int clinux_end_child(pid_t child, int milliseconds);

#endif
