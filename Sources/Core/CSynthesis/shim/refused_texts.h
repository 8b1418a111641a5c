// SPDX-License-Identifier: Apache-2.0
/// The texts of IPv6 addresses that the process gave to a function for IPv4. A program may then read such a text as what it is: only one that
/// does not misreads it.
#ifndef CSYNTHESIS_REFUSED_TEXTS_H
#define CSYNTHESIS_REFUSED_TEXTS_H

#include <stdbool.h>

/// Adds a text if it is an IPv6 address and there is room; whether it was added. A program that reads more of them than fit is about
/// addresses, such as a log's reader. Takes no lock.
bool refused_texts_add(const char *text);

/// Whether the text is one of them, and this is the first time that it is read as an IPv6 address.
bool refused_texts_take(const char *text);

#endif
