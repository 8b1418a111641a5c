// SPDX-License-Identifier: Apache-2.0
// Finding and ending what a client has started, for its keeper and the guard of that. Nothing here allocates: a keeper may
// be the fork of a process with threads.
#ifndef CLINUX_DESCENDANTS_H
#define CLINUX_DESCENDANTS_H

#include <stdbool.h>

#include "clinux_keeper.h"

// What the descendants print, and where it is kept.
struct clinux_output {
    // The pipe's end to read from, which does not block; -1 once all of it has been read.
    int pipe;
    // A file that several keepers may append to.
    int log;
};

struct clinux_family {
    // Whether this process is PID 1, and every other process in its PID namespace a descendant; else it is a subreaper.
    bool is_init;
    // The folder /proc, opened before the client ran, which may mount something over it; -1 where there is none.
    int proc;
    // Reads SIGCHLD (signalfd); -1 if nothing does.
    int child_signals;
    // NULL if their output is not this process's business.
    struct clinux_output *output;
};

// Appends what has been printed to the log, as far as that takes it (`clinux_server_log_limit`); the rest is lost.
void clinux_take_output(struct clinux_output *output);

// Reaps what has ended; whether there are more children.
bool clinux_reap(void);

// Gives the descendants so many milliseconds to end by themselves; whether some are left.
bool clinux_await_descendants(const struct clinux_family *family, int milliseconds);

// Names those that are left: in a PID namespace all of them, else the children.
void clinux_list_descendants(const struct clinux_family *family, struct clinux_survivors *survivors);

// Asks every descendant to end (SIGTERM), each once: those that are of this moment.
void clinux_terminate_descendants(const struct clinux_family *family);

// Ends every descendant, and waits until that is done.
void clinux_end_descendants(const struct clinux_family *family);

#endif
