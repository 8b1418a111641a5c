// SPDX-License-Identifier: Apache-2.0
/// What the runner tells the shim, through the environment. Read once, when the library is loaded: the program may
/// change its environment at any time, from any thread.
///
/// | variable | value |
/// | --- | --- |
/// | `IPV6CHECK_GETADDRINFO` | a profile: `apple` (the default), `apple-ios9`, `android`, `chromium`, `linux` |
/// | `IPV6CHECK_PREF64` | the network's prefixes, such as `64:ff9b::/96,2001:db8:64::/64`, or `none`; `resolv.conf` where a comment of that file tells them, as they may change; without it they are discovered |
/// | `IPV6CHECK_URL_LOADING` | `apple`: URL loading synthesises (url_loading.h); without it, or with another value, it does not |
/// | `IPV6CHECK_EVIDENCE` | a Unix datagram socket: a path, or `@` and an abstract name; without it no evidence is sent |
#ifndef CSYNTHESIS_CONFIGURATION_H
#define CSYNTHESIS_CONFIGURATION_H

#include "../include/synthesis.h"

#include <sys/socket.h>
#include <sys/un.h>

struct configuration {
    enum synthesis_profile profile;
    /// Whether the runner has told which prefixes there are; the list may be empty.
    bool prefixes_known;
    struct pref64_list prefixes;
    /// Whether resolv.conf tells them, at each look-up those of now.
    bool prefixes_in_resolv_conf;
    /// Whether URL loading is Apple's.
    bool url_loading;
    bool sends_evidence;
    struct sockaddr_un evidence;
    socklen_t evidence_size;
};

const struct configuration *configuration(void);

/// Whether URL loading is Apple's. A look at memory: inet_pton and connect are called by signal handlers, and before the configuration is read.
bool url_loading_is_wanted(void);

#endif
