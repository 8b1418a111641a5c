// SPDX-License-Identifier: Apache-2.0
// libunbound, loaded on demand: it need not be installed unless validation is used.
//
// A validator asks one server, and validates its answers. libunbound processes the questions on its own thread;
// `cunbound_descriptor` becomes readable when answers have arrived, `cunbound_process` reads them, and `cunbound_take` returns them
// one by one. All calls for one validator must come from one thread at a time.
#ifndef CUNBOUND_H
#define CUNBOUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cunbound;

struct cunbound_answer {
    uint64_t question;
    // A DNS message, with signatures; NULL if libunbound failed. Valid until the next call.
    const uint8_t *octets;
    size_t length;
    bool secure;
    bool bogus;
};

// Null if libunbound cannot be loaded or does not start; then `message` contains the reason.
struct cunbound *cunbound_open(const char **message);
void cunbound_close(struct cunbound *validator);

// To be called before the first name is unblocked, and before the first question. False if libunbound refuses the value.
bool cunbound_set_option(struct cunbound *validator, const char *name, const char *value);
// ADDRESS@PORT
bool cunbound_forward(struct cunbound *validator, const char *server);
// A DS or DNSKEY record in presentation format.
bool cunbound_trust(struct cunbound *validator, const char *record);
// A name that libunbound would answer by itself.
void cunbound_unblock(struct cunbound *validator, const char *name);

int cunbound_descriptor(struct cunbound *validator);
// False if the question cannot be asked.
bool cunbound_ask(struct cunbound *validator, const char *name, uint16_t type, uint16_t class, uint64_t question);
void cunbound_process(struct cunbound *validator);
// False if there are no more answers.
bool cunbound_take(struct cunbound *validator, struct cunbound_answer *answer);

#endif
