// SPDX-License-Identifier: Apache-2.0
// Finds and ends the processes that a client has started, for its keeper and the keeper's guard. Nothing here allocates: a keeper may
// be the fork of a process with threads.
#ifndef CLINUX_DESCENDANTS_H
#define CLINUX_DESCENDANTS_H

#include <stdbool.h>

#include "clinux_keeper.h"

// The descendants' output, and the file that receives it.
struct clinux_output {
    // The read end of the pipe, non-blocking; -1 once all of it has been read.
    int pipe;
    // A file that several keepers may append to.
    int log;
};

struct clinux_family {
    // Whether this process is PID 1, and every other process in its PID namespace a descendant; else it is a subreaper.
    bool is_init;
    // The folder /proc, opened before the client ran, which may mount something over it; -1 if there is none.
    int proc;
    // Reads SIGCHLD (signalfd); -1 if there is none.
    int child_signals;
    // NULL if this process does not read their output.
    struct clinux_output *output;
};

// Appends the available output to the log, up to `clinux_server_log_limit`; the rest is lost.
void clinux_take_output(struct clinux_output *output);

// Reaps ended children; returns whether there are more children.
bool clinux_reap(void);

// Waits so many milliseconds for the descendants to end by themselves; returns whether some are left.
bool clinux_await_descendants(const struct clinux_family *family, int milliseconds);

// Lists the remaining descendants: all of them in a PID namespace, otherwise the children.
void clinux_list_descendants(const struct clinux_family *family, struct clinux_survivors *survivors);

// Sends SIGTERM to all current descendants, once each.
void clinux_terminate_descendants(const struct clinux_family *family);

// Kills all descendants, and waits for their end.
void clinux_end_descendants(const struct clinux_family *family);

#endif
