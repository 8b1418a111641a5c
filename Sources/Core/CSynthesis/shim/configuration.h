// SPDX-License-Identifier: Apache-2.0
/// The runner's settings for the shim, from the environment. Read once, when the library is loaded: the program may change its environment
/// at any time, from any thread.
///
/// | variable | value |
/// | --- | --- |
/// | `IPV6CHECK_GETADDRINFO` | a profile: `apple` (the default), `apple-ios9`, `android`, `chromium`, `linux` |
/// | `IPV6CHECK_PREF64` | prefixes, such as `64:ff9b::/96,2001:db8:64::/64`; `none`; `resolv.conf` (see below); unset: discovered |
/// | `IPV6CHECK_URL_LOADING` | `apple`: URL loading synthesises (url_loading.h); unset, or any other value: it does not |
/// | `IPV6CHECK_EVIDENCE` | a Unix datagram socket: a path, or `@` and an abstract name; unset: no evidence is sent |
///
/// `resolv.conf`: the prefixes are in comments of that file, and may change.
#ifndef CSYNTHESIS_CONFIGURATION_H
#define CSYNTHESIS_CONFIGURATION_H

#include "../include/synthesis.h"

#include <sys/socket.h>
#include <sys/un.h>

struct configuration {
    enum synthesis_profile profile;
    /// Whether the runner has set the prefixes; the list may be empty.
    bool prefixes_known;
    struct pref64_list prefixes;
    /// Whether the prefixes are read from resolv.conf, at each look-up anew.
    bool prefixes_in_resolv_conf;
    /// Whether URL loading is Apple's.
    bool url_loading;
    bool sends_evidence;
    struct sockaddr_un evidence;
    socklen_t evidence_size;
};

const struct configuration *configuration(void);

/// Whether URL loading is Apple's. Only reads memory: signal handlers call inet_pton and connect, also before the configuration is read.
bool url_loading_is_wanted(void);

/// Whether evidence is collected, in the same way.
bool evidence_is_configured(void);

#endif
