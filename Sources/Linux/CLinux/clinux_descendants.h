// Finding and ending what a client has started, for its keeper and the guard of that. Nothing here allocates: a keeper may
// be the fork of a process with threads.
#ifndef CLINUX_DESCENDANTS_H
#define CLINUX_DESCENDANTS_H

#include <stdbool.h>

#include "clinux_keeper.h"

struct clinux_family {
    // Whether this process is PID 1, and every other process in its PID namespace a descendant; else it is a subreaper.
    bool is_init;
    // The folder /proc, opened before the client ran, which may mount something over it; -1 where there is none.
    int proc;
    // Reads SIGCHLD (signalfd); -1 if nothing does.
    int child_signals;
};

// Reaps what has ended; whether there are more children.
bool clinux_reap(void);

// Gives the descendants so many milliseconds to end by themselves; whether some are left.
bool clinux_await_descendants(const struct clinux_family *family, int milliseconds);

// Names those that are left: in a PID namespace all of them, else the children.
void clinux_list_descendants(const struct clinux_family *family, struct clinux_survivors *survivors);

// Ends every descendant, and waits until that is done.
void clinux_end_descendants(const struct clinux_family *family);

#endif
