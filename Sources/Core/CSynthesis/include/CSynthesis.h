// SPDX-License-Identifier: Apache-2.0
/// Literal synthesis: what getaddrinfo answers on a network that has no IPv4 but a NAT64.
///
/// The rules are a pure core (`pref64.h`, `synthesis.h`, `ipv4only.h`): values in, values out, no I/O, no allocation.
/// `lookup.h` carries them out with a getaddrinfo that it is given, so the preloaded shim, `ipv6check resolve` and the
/// tests run the same code. What only the preloaded library needs (interposed symbols, the machine's own addresses and
/// resolver, the evidence socket) lives in `shim/` and is no part of the module that Swift sees: a program that linked
/// it would replace its own getaddrinfo.
#ifndef CSYNTHESIS_H
#define CSYNTHESIS_H

#include "ipv4only.h"
#include "lookup.h"
#include "pref64.h"
#include "record.h"
#include "synthesis.h"

#endif
