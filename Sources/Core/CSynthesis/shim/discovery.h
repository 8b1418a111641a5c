// SPDX-License-Identifier: Apache-2.0
/// The Pref64s of the network that this process is on.
#ifndef CSYNTHESIS_DISCOVERY_H
#define CSYNTHESIS_DISCOVERY_H

#include "../include/pref64.h"

/// The runner's prefixes, else those that discovery by RFC 7050 finds. (A PREF64 option in router advertisements, RFC 8781, would come
/// between; receiving those takes a raw socket, which a client is not permitted to open.)
///
/// Takes at most a few seconds, on the first call and after a change of network; other calls are answered from memory.
void discovery_prefixes(struct pref64_list *prefixes);

#endif
