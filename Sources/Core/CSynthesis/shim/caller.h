// SPDX-License-Identifier: Apache-2.0
/// Who makes a call: libcurl, on behalf of Foundation's URL loading, or anybody else.
#ifndef CSYNTHESIS_CALLER_H
#define CSYNTHESIS_CALLER_H

#include <stdbool.h>

/// Whether the call that returns to this address was made by libcurl, and libcurl was called by FoundationNetworking. Where that cannot be told, it
/// was not. To be called by the function that was called, or by one that that calls.
///
/// The stack tells: from the call outwards there are frames of libcurl, and the first that is of another module is of
/// libFoundationNetworking.so. A program that calls libcurl itself has a frame of its own there, also where Foundation is loaded beside.
/// An executable that Foundation was linked into statically (-static-stdlib) has its functions by name, if it was not stripped.
bool caller_is_url_loading(const void *return_address);

#endif
