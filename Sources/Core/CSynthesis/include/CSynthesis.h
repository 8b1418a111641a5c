// SPDX-License-Identifier: Apache-2.0
/// Literal synthesis: the answers of getaddrinfo on a network that has no IPv4 but a NAT64.
///
/// The rules are a pure core (`pref64.h`, `synthesis.h`, `ipv4only.h`): values in, values out, no I/O, no allocation. `lookup.h` applies
/// them with a getaddrinfo that it is given, so the preloaded shim, `ipv6check resolve` and the tests run the same code. Code that only the
/// preloaded library needs (interposed symbols, the machine's own addresses and resolver, the evidence socket) is in `shim/` and not in the
/// module that Swift sees: a program linked with it would replace its own getaddrinfo.
#ifndef CSYNTHESIS_H
#define CSYNTHESIS_H

#include "ipv4only.h"
#include "lookup.h"
#include "pref64.h"
#include "record.h"
#include "synthesis.h"

#endif
