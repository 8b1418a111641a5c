// SPDX-License-Identifier: Apache-2.0
// libmd: message digests.
#include <sha1.h>
#include <sha2.h>
