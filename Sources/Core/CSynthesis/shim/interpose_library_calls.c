// SPDX-License-Identifier: Apache-2.0
// Interposes functions of the C library whose system calls the tracer records, and which are inside of the C library: passes them on
// unchanged, and reports the frames of an interpreter (frames.h) for the last of those system calls.
#include "evidence.h"
#include "frames.h"
#include "interpose.h"
#include "real.h"

#include <errno.h>
#include <string.h>

/// It asks the kernel for links, then for addresses.
INTERPOSED int getifaddrs(struct ifaddrs **list) {
    evidence_of_interfaces();
    if (!frames_wanted()) return real_getifaddrs()(list);
    int result = real_getifaddrs()(list);
    frames_after(frames_call("getifaddrs", "", 0), false, result < 0 ? errno : 0);
    return result;
}

/// PHP's dns_get_record. The answer of a name server is no error of the call.
#undef res_nsearch
INTERPOSED int res_nsearch(res_state state, const char *name, int class, int type, unsigned char *answer, int size) {
    if (!frames_wanted()) return real_res_nsearch()(state, name, class, type, answer, size);
    int result = real_res_nsearch()(state, name, class, type, answer, size);
    frames_after(frames_call("res_nsearch", name, name == NULL ? 0 : strlen(name)), false, 0);
    return result;
}
