// SPDX-License-Identifier: Apache-2.0
/// Finds the caller: whether it is libcurl on behalf of Foundation's URL loading.
#ifndef CSYNTHESIS_CALLER_H
#define CSYNTHESIS_CALLER_H

#include <stdbool.h>

/// Whether the call that returns to this address was made by libcurl, and libcurl was called by FoundationNetworking. False if that is
/// unknown. To be called by the function that was called, or by one that it calls.
///
/// The stack decides: from the call outwards there are frames of libcurl, and the first of another module is of libFoundationNetworking.so.
/// A program that calls libcurl itself has a frame of its own there, even if it has Foundation loaded too. In an executable with Foundation
/// linked in statically (-static-stdlib), its functions are recognised by name, unless the executable was stripped.
bool caller_is_url_loading(const void *return_address);

#endif
