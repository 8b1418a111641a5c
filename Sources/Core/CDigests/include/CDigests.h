// The digests of BoringSSL (FIPS 180-4). NIOSSL brings it, so that the program has one; it gives its headers to targets in C, and not
// to Swift.
#ifndef CDIGESTS_H
#define CDIGESTS_H

#include <stddef.h>
#include <stdint.h>

enum { cdigests_sha1_length = 20, cdigests_sha256_length = 32 };

// Of the prefix and the octets, one behind the other.
void cdigests_sha1(
    const uint8_t *prefix, size_t prefix_count, const uint8_t *octets, size_t count, uint8_t digest[cdigests_sha1_length]);
void cdigests_sha256(const uint8_t *octets, size_t count, uint8_t digest[cdigests_sha256_length]);

#endif
