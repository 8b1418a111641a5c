// SPDX-License-Identifier: Apache-2.0
#include "CUnbound.h"

#include <dlfcn.h>
#include <stdlib.h>

// The parts of unbound.h in use: the header need not be installed. The number in the library's name identifies this layout.
static const char library[] = "libunbound.so.8";

struct ub_ctx;
struct ub_result {
    char *qname;
    int qtype;
    int qclass;
    char **data;
    int *len;
    char *canonname;
    int rcode;
    void *answer_packet;
    int answer_len;
    int havedata;
    int nxdomain;
    int secure;
    int bogus;
    char *why_bogus;
    int was_ratelimited;
    int ttl;
};
typedef void (*ub_callback_type)(void *, int, struct ub_result *);

static struct {
    struct ub_ctx *(*ub_ctx_create)(void);
    void (*ub_ctx_delete)(struct ub_ctx *);
    int (*ub_ctx_set_option)(struct ub_ctx *, const char *, const char *);
    int (*ub_ctx_set_fwd)(struct ub_ctx *, const char *);
    int (*ub_ctx_add_ta)(struct ub_ctx *, const char *);
    int (*ub_ctx_zone_remove)(struct ub_ctx *, const char *);
    int (*ub_ctx_debugout)(struct ub_ctx *, void *);
    int (*ub_ctx_async)(struct ub_ctx *, int);
    int (*ub_fd)(struct ub_ctx *);
    int (*ub_process)(struct ub_ctx *);
    int (*ub_resolve_async)(struct ub_ctx *, const char *, int, int, void *, ub_callback_type, int *);
    void (*ub_resolve_free)(struct ub_result *);
} functions;

static const char *load(void) {
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!handle) return dlerror();
#define FIND(name) \
    if (!(*(void **)&functions.name = dlsym(handle, #name))) return "it has no " #name
    FIND(ub_ctx_create);
    FIND(ub_ctx_delete);
    FIND(ub_ctx_set_option);
    FIND(ub_ctx_set_fwd);
    FIND(ub_ctx_add_ta);
    FIND(ub_ctx_zone_remove);
    FIND(ub_ctx_debugout);
    FIND(ub_ctx_async);
    FIND(ub_fd);
    FIND(ub_process);
    FIND(ub_resolve_async);
    FIND(ub_resolve_free);
#undef FIND
    return NULL;
}

// A question, from asking it until its answer has been taken.
struct question {
    struct cunbound *validator;
    uint64_t number;
    struct ub_result *result;
    struct question *next;
};

struct cunbound {
    struct ub_ctx *context;
    // Answered questions, in order of arrival.
    struct question *first, *last;
    // The question whose octets were returned last.
    struct question *taken;
};

static void release(struct question *question) {
    if (!question) return;
    if (question->result) functions.ub_resolve_free(question->result);
    free(question);
}

struct cunbound *cunbound_open(const char **message) {
    *message = load();
    if (*message) return NULL;
    struct cunbound *validator = calloc(1, sizeof *validator);
    if (validator) validator->context = functions.ub_ctx_create();
    // A thread, not a process: a process would inherit all descriptors.
    if (!validator || !validator->context || functions.ub_ctx_async(validator->context, 1) != 0) {
        *message = "it does not start";
        if (validator && validator->context) functions.ub_ctx_delete(validator->context);
        free(validator);
        return NULL;
    }
    functions.ub_ctx_debugout(validator->context, NULL);
    return validator;
}

void cunbound_close(struct cunbound *validator) {
    functions.ub_ctx_delete(validator->context);
    release(validator->taken);
    while (validator->first) {
        struct question *next = validator->first->next;
        release(validator->first);
        validator->first = next;
    }
    free(validator);
}

bool cunbound_set_option(struct cunbound *validator, const char *name, const char *value) {
    return functions.ub_ctx_set_option(validator->context, name, value) == 0;
}

bool cunbound_forward(struct cunbound *validator, const char *server) {
    return functions.ub_ctx_set_fwd(validator->context, server) == 0;
}

bool cunbound_trust(struct cunbound *validator, const char *record) {
    return functions.ub_ctx_add_ta(validator->context, record) == 0;
}

void cunbound_unblock(struct cunbound *validator, const char *name) {
    functions.ub_ctx_zone_remove(validator->context, name);
}

int cunbound_descriptor(struct cunbound *validator) { return functions.ub_fd(validator->context); }

static void finish(void *data, int error, struct ub_result *result) {
    struct question *question = data;
    struct cunbound *validator = question->validator;
    question->result = error == 0 ? result : NULL;
    if (validator->last) {
        validator->last->next = question;
    } else {
        validator->first = question;
    }
    validator->last = question;
}

bool cunbound_ask(struct cunbound *validator, const char *name, uint16_t type, uint16_t class, uint64_t number) {
    struct question *question = calloc(1, sizeof *question);
    if (!question) return false;
    question->validator = validator;
    question->number = number;
    int identifier;
    if (functions.ub_resolve_async(validator->context, name, type, class, question, finish, &identifier) == 0) return true;
    free(question);
    return false;
}

void cunbound_process(struct cunbound *validator) { functions.ub_process(validator->context); }

bool cunbound_take(struct cunbound *validator, struct cunbound_answer *answer) {
    release(validator->taken);
    struct question *question = validator->taken = validator->first;
    if (!question) return false;
    validator->first = question->next;
    if (!validator->first) validator->last = NULL;
    const struct ub_result *result = question->result;
    answer->question = question->number;
    answer->octets = result ? result->answer_packet : NULL;
    answer->length = result && result->answer_packet && result->answer_len > 0 ? (size_t)result->answer_len : 0;
    answer->secure = result && result->secure;
    answer->bogus = result && result->bogus;
    return true;
}
