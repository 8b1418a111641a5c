// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "clinux_splice.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int clinux_pipe(int *reading, int *writing) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return -1;
    *reading = ends[0];
    *writing = ends[1];
    return 0;
}

ssize_t clinux_splice(int from, int to, size_t most) {
    for (;;) {
        const ssize_t count = splice(from, NULL, to, NULL, most, SPLICE_F_MOVE | SPLICE_F_NONBLOCK);
        if (count >= 0 || errno != EINTR) return count;
    }
}
