// The keeper: the process between the runner and the client. It is C because no Swift may run between fork and exec.
//
// Theory of operation. The launcher becomes the keeper when everything is made. The keeper forks, and its child becomes
// the client. As a child subreaper the keeper inherits every descendant of the client that loses its parent, so it always
// knows, or learns, what the client has started. It waits for two things:
//
//   the client's end  it tells the runner how the client ended,
//   the runner's end  the control socket hangs up, however the runner died,
//
// and after either it kills and reaps all descendants, and exits. It leaves the terminal's signals to the client, and
// nothing but SIGKILL ends it; then the client gets SIGKILL too (PR_SET_PDEATHSIG).
//
// The runner's own namespace, interface and files are descriptors and references that go with these processes.
#ifndef CLINUX_KEEPER_H
#define CLINUX_KEEPER_H

#include <stdint.h>
#include <sys/types.h>

#include "clinux_namespace.h"

// Messages over the control socket, one a datagram, each opened by one of these.
enum {
    // Launcher to runner: the TUN is in this message.
    clinux_message_tun = 1,
    // Launcher to runner: it cannot be done, and why, in the launcher's own encoding.
    clinux_message_failed = 2,
    // Runner to launcher: start the client.
    clinux_message_go = 3,
    // Keeper to runner: `value` is the client's process id.
    clinux_message_started = 4,
    // The client-to-be to runner: `value` is the errno of exec.
    clinux_message_not_executed = 5,
    // Keeper to runner: `value` is the wait status; with the resource usage.
    clinux_message_ended = 6,
    // Runner to keeper: send the client the signal `value`.
    clinux_message_signal = 7,
    // Launcher to runner: the socket that the client can send to is in this message.
    clinux_message_socket = 8,
};

struct clinux_message {
    int32_t kind;
    int32_t value;
    int64_t user_microseconds;
    int64_t system_microseconds;
    int64_t resident_kilobytes;
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
};

// Becomes the keeper, and returns only where the client cannot be forked: -1 with errno set. The calling process has one
// thread, and every descriptor that the client must not have is close-on-exec.
int clinux_keep(const struct clinux_keeper *keeper);

// Forks a keeper whose client is a server program with one connection, its standard input and output. The calling process
// may have other threads. Returns the keeper's process id, or -1 with errno set.
pid_t clinux_keep_server(const struct clinux_keeper *keeper, int connection);

#endif
