// SPDX-License-Identifier: Apache-2.0
// See caller.h. Foundation on Linux is a shared library for glibc; with musl, Swift makes static executables, which load no library.
#define _GNU_SOURCE
#include "caller.h"

#include <features.h>

#ifdef __GLIBC__
#include "executable_symbols.h"

#include <dlfcn.h>
#include <stdint.h>
#include <string.h>
#include <unwind.h>

/// The unwinder of libgcc_s, which every Swift program has loaded. The shim does not load it into others.
struct unwinder {
    _Unwind_Reason_Code (*backtrace)(_Unwind_Trace_Fn, void *);
    uintptr_t (*address)(struct _Unwind_Context *);
};

/// C has no conversion from an object pointer to a function pointer.
static bool find(const char *name, void *function) {
    void *symbol = dlsym(RTLD_DEFAULT, name);
    if (symbol != NULL) memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

enum owner {
    OWNER_OTHER,
    OWNER_LIBCURL,
    OWNER_FOUNDATION,
};

static bool begins(const char *text, const char *beginning) { return strncmp(text, beginning, strlen(beginning)) == 0; }

/// The owner of a function of the executable. Swift's names begin with $s, followed by the module. C functions have their names from the
/// source, and may be libcurl's: their callers decide.
static enum owner owner_in_executable(uintptr_t address) {
    char name[40];
    if (!executable_symbol(address, name, sizeof name)) return OWNER_OTHER;
    if (begins(name, "$s20FoundationNetworking") || begins(name, "CFURLSession")) return OWNER_FOUNDATION;
    return begins(name, "$s") ? OWNER_OTHER : OWNER_LIBCURL;
}

static enum owner owner_of(uintptr_t address) {
    Dl_info module;
    if (dladdr((const void *)address, &module) == 0 || module.dli_fname == NULL) return OWNER_OTHER;
    if (executable_contains(address)) return owner_in_executable(address);
    const char *slash = strrchr(module.dli_fname, '/');
    const char *name = slash != NULL ? slash + 1 : module.dli_fname;
    if (begins(name, "libFoundationNetworking.so")) return OWNER_FOUNDATION;
    return begins(name, "libcurl.so") || begins(name, "libcurl-") ? OWNER_LIBCURL : OWNER_OTHER;
}

struct walk {
    const struct unwinder *unwinder;
    uintptr_t from;
    bool has_begun;
    unsigned frames;
    enum owner owner;
};

/// libcurl's calls are less deeply nested.
enum { FRAMES_MAX = 64 };

static _Unwind_Reason_Code step(struct _Unwind_Context *context, void *argument) {
    struct walk *walk = argument;
    uintptr_t address = walk->unwinder->address(context);
    walk->has_begun |= address == walk->from;
    if (++walk->frames > FRAMES_MAX) return _URC_END_OF_STACK;
    // Frames inside the call are the shim's own.
    if (!walk->has_begun) return _URC_NO_REASON;
    // A return address may be the first of the next function.
    enum owner owner = owner_of(address - 1);
    // Foundation connects only by libcurl. If libcurl is part of Foundation's own library, the innermost frame is Foundation's.
    if (owner == OWNER_LIBCURL) return _URC_NO_REASON;
    walk->owner = owner;
    return _URC_END_OF_STACK;
}

bool caller_is_url_loading(const void *return_address) {
    // Most calls end here: those of other callers, and those without an unwinder.
    if (owner_of((uintptr_t)return_address - 1) == OWNER_OTHER) return false;
    struct unwinder unwinder;
    if (!find("_Unwind_Backtrace", &unwinder.backtrace) || !find("_Unwind_GetIP", &unwinder.address)) return false;
    struct walk walk = {.unwinder = &unwinder, .from = (uintptr_t)return_address};
    unwinder.backtrace(step, &walk);
    return walk.owner == OWNER_FOUNDATION;
}

#else

bool caller_is_url_loading(const void *return_address) {
    (void)return_address;
    return false;
}

#endif
