// SPDX-License-Identifier: Apache-2.0
// Ends a program whose stack limit is too low, with a message: otherwise it would end by SIGSEGV, without one.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

// The threads' stacks have the same size (pthread_create(3)). A run was seen to work with 256 KiB, but not with 128.
enum { least_stack = 512 << 10 };

// ExitCode.machineCannot
enum { machine_cannot = 5 };

// Before main, which needs more stack than this.
__attribute__((constructor)) static void check_stack(int count, char **arguments) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= least_stack) return;
    const char *path = count > 0 ? arguments[0] : "ipv6check", *slash = strrchr(path, '/');
    char message[256];
    const int length = snprintf(
        message, sizeof message, "%.64s: its stack may have %llu KiB here, and it needs %d; fix: ulimit -s %d\n",
        slash ? slash + 1 : path, (unsigned long long)limit.rlim_cur >> 10, least_stack >> 10, 8 << 10);
    if (write(STDERR_FILENO, message, length < (int)sizeof message ? (size_t)length : sizeof message) < 0) {}
    _exit(machine_cannot);
}
