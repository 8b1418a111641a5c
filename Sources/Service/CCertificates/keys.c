// SPDX-License-Identifier: Apache-2.0
#include "CCertificates.h"

#include <CNIOBoringSSL.h>

void ccertificates_free_octets(struct ccertificates_octets octets) { OPENSSL_free(octets.start); }

struct evp_pkey_st *ccertificates_make_key(void) {
    EC_KEY *pair = EC_KEY_new_by_curve_name(NID_X9_62_prime256v1);
    EVP_PKEY *key = EVP_PKEY_new();
    if (!pair || !key || !EC_KEY_generate_key(pair) || !EVP_PKEY_set1_EC_KEY(key, pair)) {
        EVP_PKEY_free(key);
        key = NULL;
    }
    EC_KEY_free(pair);
    return key;
}

void ccertificates_free_key(struct evp_pkey_st *key) { EVP_PKEY_free(key); }

struct ccertificates_octets ccertificates_private_key(const struct evp_pkey_st *key) {
    struct ccertificates_octets octets = {NULL, 0};
    CBB form;
    if (!CBB_init(&form, 0)) return octets;
    if (!EVP_marshal_private_key(&form, key) || !CBB_finish(&form, &octets.start, &octets.count)) CBB_cleanup(&form);
    return octets;
}
