// SPDX-License-Identifier: Apache-2.0
// Keys and certificates by BoringSSL. NIOSSL brings it, so the program has one already; NIOSSL exposes its headers to targets in C,
// but not to Swift.
#ifndef CCERTIFICATES_H
#define CCERTIFICATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Octets allocated by BoringSSL; `start` is null if that failed.
struct ccertificates_octets {
    uint8_t *start;
    size_t count;
};
void ccertificates_free_octets(struct ccertificates_octets octets);

// A private key on the curve P-256, with its public key. Null if there is no memory.
struct evp_pkey_st *ccertificates_make_key(void);
void ccertificates_free_key(struct evp_pkey_st *key);
// PKCS #8 (RFC 5958), in DER.
struct ccertificates_octets ccertificates_private_key(const struct evp_pkey_st *key);

// SHA-1 of the prefix followed by the octets. Uses instructions of the processor if it has them, as the key stores of Java are
// large.
enum { ccertificates_sha1_length = 20 };
void ccertificates_sha1(
    const uint8_t *prefix, size_t prefix_count, const uint8_t *octets, size_t count, uint8_t digest[ccertificates_sha1_length]);

// A certificate that is not signed yet (RFC 5280 §4.1), of version 3, with a random serial number. Each of the functions below
// returns false if there is no memory, or if its argument cannot be in a certificate.

// Null if there is no memory.
struct x509_st *ccertificates_make(void);
void ccertificates_free(struct x509_st *certificate);
// Times in seconds since 1970.
bool ccertificates_set_validity(struct x509_st *certificate, int64_t from, int64_t to);
// The organization and the common name of each.
bool ccertificates_set_subject(struct x509_st *certificate, const char *organization, const char *name);
bool ccertificates_set_issuer(struct x509_st *certificate, const char *organization, const char *name);
// Makes it an authority that may sign servers' certificates and no other authorities'.
bool ccertificates_make_authority(struct x509_st *certificate);
// Makes it a TLS server's certificate for the names in `names`, a DER of GeneralNames (§4.2.1.6).
bool ccertificates_make_server(struct x509_st *certificate, const uint8_t *names, size_t count);
// The certificate of the key's owner, with the identifiers of both keys (§4.2.1.1, §4.2.1.2), in DER, signed with ECDSA and SHA-256.
struct ccertificates_octets ccertificates_sign(
    struct x509_st *certificate, const struct evp_pkey_st *owner, struct evp_pkey_st *issuer);

#endif
