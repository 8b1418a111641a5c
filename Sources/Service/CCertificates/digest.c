// SPDX-License-Identifier: Apache-2.0
#include "CCertificates.h"

#include <CNIOBoringSSL.h>

_Static_assert(ccertificates_sha1_length == SHA_DIGEST_LENGTH, "as BoringSSL has it");

void ccertificates_sha1(
    const uint8_t *prefix, size_t prefix_count, const uint8_t *octets, size_t count, uint8_t digest[ccertificates_sha1_length]
) {
    SHA_CTX context;
    SHA1_Init(&context);
    SHA1_Update(&context, prefix, prefix_count);
    SHA1_Update(&context, octets, count);
    SHA1_Final(digest, &context);
}
