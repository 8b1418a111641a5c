// SPDX-License-Identifier: Apache-2.0
// inet_pton, which reads literals for URL loading (read_literals.h): passed on unchanged.
#include "configuration.h"
#include "interpose.h"
#include "read_literals.h"
#include "real.h"

#include <string.h>
#include <sys/socket.h>

INTERPOSED int inet_pton(int family, const char *restrict text, void *restrict address) {
    int valid = real_inet_pton()(family, text, address);
    if (valid == 1 && family == AF_INET && url_loading_is_wanted()) {
        struct in_addr literal;
        memcpy(&literal, address, sizeof literal);
        read_literals_add(literal);
    }
    return valid;
}
