// SPDX-License-Identifier: Apache-2.0
#include "CCertificates.h"

#include <CNIOBoringSSL.h>

// RFC 5280 §4.1.2.2: positive, and at most 20 octets.
static bool set_serial_number(X509 *certificate) {
    uint8_t octets[16];
    RAND_bytes(octets, sizeof octets);
    // Clears the sign, and avoids 0.
    octets[0] = (octets[0] & 0x7f) | 0x40;
    BIGNUM *number = BN_bin2bn(octets, sizeof octets, NULL);
    bool is_set = number && BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate));
    BN_free(number);
    return is_set;
}

struct x509_st *ccertificates_make(void) {
    X509 *certificate = X509_new();
    if (certificate && X509_set_version(certificate, X509_VERSION_3) && set_serial_number(certificate)) return certificate;
    X509_free(certificate);
    return NULL;
}

void ccertificates_free(struct x509_st *certificate) { X509_free(certificate); }

bool ccertificates_set_validity(struct x509_st *certificate, int64_t from, int64_t to) {
    return ASN1_TIME_set_posix(X509_getm_notBefore(certificate), from)
        && ASN1_TIME_set_posix(X509_getm_notAfter(certificate), to);
}

static bool name_of(X509_NAME *name, const char *organization, const char *common_name) {
    return X509_NAME_add_entry_by_NID(
               name, NID_organizationName, MBSTRING_UTF8, (const uint8_t *)organization, -1, -1, 0)
        && X509_NAME_add_entry_by_NID(name, NID_commonName, MBSTRING_UTF8, (const uint8_t *)common_name, -1, -1, 0);
}

bool ccertificates_set_subject(struct x509_st *certificate, const char *organization, const char *name) {
    return name_of(X509_get_subject_name(certificate), organization, name);
}

bool ccertificates_set_issuer(struct x509_st *certificate, const char *organization, const char *name) {
    return name_of(X509_get_issuer_name(certificate), organization, name);
}

static bool add(X509 *certificate, int extension, void *value, bool is_critical) {
    return value && X509_add1_ext_i2d(certificate, extension, value, is_critical, X509V3_ADD_DEFAULT) == 1;
}

// RFC 5280 §4.2.1.9. No authority may be below ours: the path length is 0, the value of a new integer.
static bool add_constraints(X509 *certificate, bool is_authority) {
    BASIC_CONSTRAINTS *constraints = BASIC_CONSTRAINTS_new();
    if (!constraints) return false;
    constraints->ca = is_authority ? ASN1_BOOLEAN_TRUE : ASN1_BOOLEAN_FALSE;
    if (is_authority) constraints->pathlen = ASN1_INTEGER_new();
    bool is_added = (!is_authority || constraints->pathlen) && add(certificate, NID_basic_constraints, constraints, true);
    BASIC_CONSTRAINTS_free(constraints);
    return is_added;
}

// §4.2.1.3: the bit numbers of a KeyUsage.
enum { digital_signature = 0, key_cert_sign = 5, crl_sign = 6 };

static bool add_usage(X509 *certificate, const int *bits, size_t count) {
    ASN1_BIT_STRING *usage = ASN1_BIT_STRING_new();
    bool is_added = usage;
    for (size_t place = 0; is_added && place < count; place++) is_added = ASN1_BIT_STRING_set_bit(usage, bits[place], 1);
    is_added = is_added && add(certificate, NID_key_usage, usage, true);
    ASN1_BIT_STRING_free(usage);
    return is_added;
}

bool ccertificates_make_authority(struct x509_st *certificate) {
    static const int usage[] = {key_cert_sign, crl_sign};
    return add_constraints(certificate, true) && add_usage(certificate, usage, sizeof usage / sizeof *usage);
}

// §4.2.1.12.
static bool add_purpose(X509 *certificate) {
    EXTENDED_KEY_USAGE *purposes = EXTENDED_KEY_USAGE_new();
    // An object of BoringSSL's own table, which is never freed.
    bool is_added = purposes && sk_ASN1_OBJECT_push(purposes, (ASN1_OBJECT *)OBJ_nid2obj(NID_server_auth))
        && add(certificate, NID_ext_key_usage, purposes, false);
    EXTENDED_KEY_USAGE_free(purposes);
    return is_added;
}

static bool add_names(X509 *certificate, const uint8_t *names, size_t count) {
    const uint8_t *next = names;
    GENERAL_NAMES *read = d2i_GENERAL_NAMES(NULL, &next, (long)count);
    bool is_added = next == names + count && add(certificate, NID_subject_alt_name, read, false);
    GENERAL_NAMES_free(read);
    return is_added;
}

bool ccertificates_make_server(struct x509_st *certificate, const uint8_t *names, size_t count) {
    static const int usage[] = {digital_signature};
    return add_constraints(certificate, false) && add_usage(certificate, usage, 1) && add_purpose(certificate)
        && add_names(certificate, names, count);
}

// §4.2.1.2, method 1: the SHA-1 of the public key, as an uncompressed point. Null if there is no memory.
static ASN1_OCTET_STRING *identifier(const EVP_PKEY *key) {
    const EC_KEY *pair = EVP_PKEY_get0_EC_KEY(key);
    uint8_t point[65];
    if (!pair
        || EC_POINT_point2oct(
               EC_KEY_get0_group(pair), EC_KEY_get0_public_key(pair), POINT_CONVERSION_UNCOMPRESSED, point,
               sizeof point, NULL)
            != sizeof point)
        return NULL;
    uint8_t digest[SHA_DIGEST_LENGTH];
    SHA1(point, sizeof point, digest);
    ASN1_OCTET_STRING *octets = ASN1_OCTET_STRING_new();
    if (octets && ASN1_OCTET_STRING_set(octets, digest, sizeof digest)) return octets;
    ASN1_OCTET_STRING_free(octets);
    return NULL;
}

static bool add_identifiers(X509 *certificate, const EVP_PKEY *owner, const EVP_PKEY *issuer) {
    ASN1_OCTET_STRING *own = identifier(owner);
    bool is_added = add(certificate, NID_subject_key_identifier, own, false);
    ASN1_OCTET_STRING_free(own);
    AUTHORITY_KEYID *authority = AUTHORITY_KEYID_new();
    if (authority) authority->keyid = identifier(issuer);
    is_added = is_added && authority && authority->keyid
        && add(certificate, NID_authority_key_identifier, authority, false);
    AUTHORITY_KEYID_free(authority);
    return is_added;
}

struct ccertificates_octets ccertificates_sign(
    struct x509_st *certificate, const struct evp_pkey_st *owner, struct evp_pkey_st *issuer) {
    struct ccertificates_octets octets = {NULL, 0};
    // BoringSSL counts references to a key, so its parameter is not const.
    if (!X509_set_pubkey(certificate, (EVP_PKEY *)owner) || !add_identifiers(certificate, owner, issuer)
        || !X509_sign(certificate, issuer, EVP_sha256()))
        return octets;
    int count = i2d_X509(certificate, &octets.start);
    octets.count = count > 0 ? (size_t)count : 0;
    return octets;
}
