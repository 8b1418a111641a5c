// SPDX-License-Identifier: Apache-2.0
#include "CDwfl.h"
#include "functions.h"

#include <dlfcn.h>
#include <stdlib.h>

// The number in the library's name stands for the functions' types, which the header has.
static const char library[] = "libdw.so.1";

struct cdwfl_functions dw;

// libstdc++'s (the C++ ABI, cxxabi.h), which is in the program.
extern char *__cxa_demangle(const char *name, char *output, size_t *length, int *status);

const char *cdwfl_load(void) {
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!handle) return dlerror();
#define FUNCTION(name) \
    if (!(*(void **)&dw.name = dlsym(handle, #name))) return "it has no " #name;
    CDWFL_FUNCTIONS(FUNCTION)
#undef FUNCTION
    return NULL;
}

char *cdwfl_demangle(const char *symbol) {
    int status;
    return __cxa_demangle(symbol, NULL, NULL, &status);
}
