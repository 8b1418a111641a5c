// SPDX-License-Identifier: Apache-2.0
// The keeper: the process between the runner and the client. It is C because no Swift may run between fork and exec.
//
// Theory of operation. The launcher becomes the guard when everything is made, and forks the keeper, whose child becomes the
// client. There are two ways:
//
//   PID namespace  The keeper is PID 1 of a PID namespace, and a /proc of that is mounted for it and the client. The client
//                  sees no process outside and cannot kill or stop its keeper; with the keeper the kernel ends all of them.
//   subreaper      Where the namespace or its /proc cannot be had, the keeper inherits every descendant of the client that
//                  loses its parent, and so learns what the client has started. The client can kill it: then the client gets
//                  SIGKILL (PR_SET_PDEATHSIG), and the guard inherits the others. Where a control group can be had
//                  (clinux_cgroup.h), the keeper and all its descendants are in one, and the runner ends what is in that even
//                  where the client has killed the guard as well.
//
// The keeper waits for two things:
//
//   the client's end  it tells the runner how the client ended, and what has outlived it,
//   the runner's end  the control socket closes, however the runner died,
//
// and after either it kills and reaps all descendants, and exits. The guard
// ends with it, and ends a keeper that has been stopped; with the guard a PID namespace's keeper goes, too.
//
// The runner's own namespace, interface and files are descriptors and references that go with these processes.
//
// Process groups. The launcher leads a group of its own, in which the client is born, and returns to the runner's as the guard. So a
// client that stops or kills its group (`kill 0`) reaches neither the runner nor the guard, and since it leads no group, setsid works as in
// a script. PID 1 of a PID namespace is in the client's group, where the client cannot harm it, and tells the runner what is typed at the
// terminal there. A subreaper has a third group, so that it outlives a runner that is killed with its group. The guard passes on what comes
// to the runner's group.
//
// The terminal. The runner gives it to the client's group (TerminalForeground.swift). A group outside of the PID namespace has the number 0
// within, and some shells (dash) fail to give the terminal back to that. So a shell that begins in the foreground gets a group that it
// leads, as it would make it for itself. The keeper tells the runner when the client is stopped.
#ifndef CLINUX_KEEPER_H
#define CLINUX_KEEPER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "clinux_namespace.h"

// Messages over the control socket, one a datagram, each opened by one of these.
enum {
    // Launcher to runner: the other end of the client's link is in this message.
    clinux_message_link = 1,
    // Launcher to runner: it cannot be done, and why, in the launcher's own encoding.
    clinux_message_failed = 2,
    // Runner to keeper, or to a launcher that awaits the router's advertisement first: start the client. `value` is whether its group is in
    // the terminal's foreground.
    clinux_message_go = 3,
    // Keeper to runner, with a descriptor of the client (pidfd): it has been forked. `value` is the errno for which there is
    // no PID namespace; 0 where there is one.
    clinux_message_started = 4,
    // The client-to-be to runner: `value` is the errno of exec.
    clinux_message_not_executed = 5,
    // Keeper to runner: `value` is the wait status; with the resource usage.
    clinux_message_ended = 6,
    // Runner to keeper: send the client the signal `value`; one that asks for its end lets its process group go on, too.
    clinux_message_signal = 7,
    // Launcher to runner: the socket that the client can send to is in this message.
    clinux_message_socket = 8,
    // Keeper to runner, after the client's end: a struct clinux_survivors.
    clinux_message_survivors = 9,
    // Zygote, launcher or keeper to runner: `value` is the errno for which no process can be started for the client.
    clinux_message_not_forked = 10,
    // Keeper to runner: the client was stopped by the signal `value`.
    clinux_message_stopped = 11,
    // Runner to keeper: let the client's process group go on.
    clinux_message_continue = 12,
    // Runner to keeper, in answer to `started` where the plan says so: the client is followed (`value` is 0) or cannot be, and may
    // begin.
    clinux_message_followed = 13,
    // The client-to-be to runner: `value` is the errno for which it does not stop at its calls.
    clinux_message_not_traced = 14,
    // Launcher to runner, where the plan says so: a route socket of the client's network namespace is in this message.
    clinux_message_routes = 15,
    // Launcher to runner, after that: a file that the client is shown is in this message, open for writing.
    clinux_message_file = 16,
    // Runner to zygote: fork a launcher, whose end of the control socket is in this message; `launched` or `not_forked` comes over that.
    clinux_message_launch = 17,
    // Launcher to runner, before all else: `value` is its process.
    clinux_message_launched = 18,
    // Runner to launcher, before what follows: the client's network, in the launcher's own encoding.
    clinux_message_network = 21,
    // Runner to launcher: what is in this message becomes the standard stream `value`.
    clinux_message_stream = 19,
    // Runner to launcher, after that: the plan is in the file in this message.
    clinux_message_plan = 20,
    // Keeper to runner: the terminal sent the client's process group the signal `value`, as for ^C.
    clinux_message_typed = 22,
    // Launcher to runner: a socket that listens at a loopback address of the client is in this message.
    clinux_message_listener = 23,
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
    // As the client sees it.
    int32_t process;
    // Of the program, cut by the kernel; padded with NUL.
    char name[clinux_process_name_size];
};

// What ran still when the client had ended, and had some time to end by itself.
struct clinux_survivors {
    int32_t kind;
    // Of `list`.
    int32_t count;
    // Those that have no room in it.
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
    // What the client gets of what this process has changed; bit n - 1 is signal n.
    uint64_t ignored_signals;
    uint64_t blocked_signals;
    struct clinux_capabilities capabilities;
    // Whether it is a shell for a user at a terminal.
    bool is_shell;
    // Whether its group is in the terminal's foreground; where the keeper waits for "go", that tells it.
    bool has_terminal;
    // Whether the keeper waits until the runner has the client run (`clinux_message_go`). Everything else is done before.
    bool waits_for_go;
    // Whether the client waits until the runner follows it, and stops at its calls then (clinux_tracing.h).
    bool is_traced;
};

// Becomes the guard of a keeper, and returns only where there can be no keeper: -1 with errno set. The calling process has
// one thread, and every descriptor that the client must not have is close-on-exec.
int clinux_keep(const struct clinux_keeper *keeper);

enum {
    // Where a server program finds the file that it was given.
    clinux_server_file = 3,
    // Octets of a server program's output that are kept, of all its processes together.
    clinux_server_log_limit = 1 << 20,
};

// What a server program has beyond a client. Of the descriptors each may be -1.
struct clinux_server {
    // Its standard input and output. Without one it reads nothing, and what it writes goes where its errors go.
    int connection;
    // Its descriptor `clinux_server_file`.
    int file;
    // Gets its errors, opened for appending. Without one they go where this process's go.
    int log;
    // Kept open until it has ended with all that it has started.
    int lease;
    // What it and all that it has started get between SIGTERM and SIGKILL, in milliseconds; at 0 there is no SIGTERM.
    int grace;
};

// Forks a keeper, a subreaper without a guard, whose client is a server program. The calling process may have other threads.
// Returns the keeper's process id, or -1 with errno set.
pid_t clinux_keep_server(const struct clinux_keeper *keeper, const struct clinux_server *server);

// From now on this process is the parent of what its descendants leave behind (a subreaper).
void clinux_adopt_orphans(void);

// Ends every descendant of this process, which is a subreaper, and waits until that is done.
void clinux_end_own_descendants(void);

// Waits for the end of a child process, and after so many milliseconds ends it by SIGKILL. Returns its wait status, or -1
// where it does not even end then: a thread of it may be in the hands of a file system that hangs.
int clinux_end_child(pid_t child, int milliseconds);

#endif
