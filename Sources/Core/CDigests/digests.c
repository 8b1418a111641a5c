#include "CDigests.h"

#include <CNIOBoringSSL.h>

_Static_assert(cdigests_sha1_length == SHA_DIGEST_LENGTH, "as BoringSSL has it");
_Static_assert(cdigests_sha256_length == SHA256_DIGEST_LENGTH, "as BoringSSL has it");

void cdigests_sha1(const uint8_t *octets, size_t count, uint8_t digest[cdigests_sha1_length]) {
    SHA1(octets, count, digest);
}

void cdigests_sha256(const uint8_t *octets, size_t count, uint8_t digest[cdigests_sha256_length]) {
    SHA256(octets, count, digest);
}
