// A child that waits until it is followed, stops at its calls from then on, and runs a program: what the keeper's child does.
#ifndef CTRACEDCHILD_H
#define CTRACEDCHILD_H

#include <sys/types.h>

struct ctracedchild {
    // Another process is its parent, as the keeper is: where the tracer's own process were, it would take the child's end from itself.
    pid_t parent;
    pid_t process;
};

// Starts it, without new rights; its standard output is the descriptor `output`. It waits for an octet in the pipe `gate`, and ends
// where that is closed. Where it cannot be started, the numbers are -1.
struct ctracedchild ctracedchild_start(const char *program, char *const arguments[], int gate[2], int output);

// Waits for its end, and returns its exit status as a shell has it.
int ctracedchild_end(struct ctracedchild child);

#endif
// SPDX-License-Identifier: Apache-2.0
