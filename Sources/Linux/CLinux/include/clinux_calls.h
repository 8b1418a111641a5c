// SPDX-License-Identifier: Apache-2.0
// The system calls of a confined process: an allow list, used for seccomp(2), for docs/security.md and for the test that tries
// every number.
#ifndef CLINUX_CALLS_H
#define CLINUX_CALLS_H

#include <stdint.h>

// Conditions on an argument for the call to be allowed.
enum {
    clinux_any_arguments = 0,
    // It is one of the values.
    clinux_argument_is = 1,
    // None of the bits of the first value is set.
    clinux_argument_lacks = 2,
    // All of the bits of the first value are set.
    clinux_argument_has = 3,
    // It is this process's own id.
    clinux_argument_is_self = 4,
};

enum { clinux_call_value_limit = 12 };

struct clinux_call {
    const char *name;
    int32_t number;
    // Why the call is allowed.
    const char *why;
    int32_t condition;
    // Index of the argument that the condition applies to.
    int32_t argument;
    int32_t count;
    uint32_t values[clinux_call_value_limit];
    // The condition in words; NULL if there is none.
    const char *only;
};

// The calls in the order of the table; NULL after the last.
const struct clinux_call *clinux_allowed_call(int index);

// Allows the calling thread, and all processes and threads that it starts, the calls of the table. Any other call fails with EPERM, as do
// all calls of other architectures, except for clone3, which fails with ENOSYS, so that the C library uses clone instead. Requires
// no_new_privs.
int clinux_allow_listed_calls(void);

// The same for a process that reads untrusted files: it may open any file that its user may read, and write to open descriptors.
int clinux_allow_reading_calls(void);

#endif
