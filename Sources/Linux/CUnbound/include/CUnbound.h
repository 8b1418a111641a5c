// SPDX-License-Identifier: Apache-2.0
// libunbound, found when it is needed: without validation it need not be installed.
//
// A validator asks one server, and validates what that says. Questions are dealt with on a thread of libunbound's own;
// `cunbound_descriptor` becomes readable when answers have come, `cunbound_process` takes them in, and `cunbound_take` hands them
// out one by one. All calls for one validator come from one thread at a time.
#ifndef CUNBOUND_H
#define CUNBOUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cunbound;

struct cunbound_answer {
    uint64_t question;
    // A DNS message, with signatures; none (NULL) where libunbound failed. Valid until the next call.
    const uint8_t *octets;
    size_t length;
    bool secure;
    bool bogus;
};

// Null where libunbound cannot be had or does not want to; `message` then says why.
struct cunbound *cunbound_open(const char **message);
void cunbound_close(struct cunbound *validator);

// These come before the first name is unblocked, and before the first question. False where libunbound does not take the value.
bool cunbound_set_option(struct cunbound *validator, const char *name, const char *value);
// ADDRESS@PORT
bool cunbound_forward(struct cunbound *validator, const char *server);
// A DS or DNSKEY record in presentation format.
bool cunbound_trust(struct cunbound *validator, const char *record);
// A name that libunbound would answer by itself.
void cunbound_unblock(struct cunbound *validator, const char *name);

int cunbound_descriptor(struct cunbound *validator);
// False where the question cannot be asked.
bool cunbound_ask(struct cunbound *validator, const char *name, uint16_t type, uint16_t class, uint64_t question);
void cunbound_process(struct cunbound *validator);
// False where there is no more.
bool cunbound_take(struct cunbound *validator, struct cunbound_answer *answer);

#endif
