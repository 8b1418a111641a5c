// SPDX-License-Identifier: Apache-2.0
#include "CDwfl.h"
#include "functions.h"

#include <dlfcn.h>
#include <stdlib.h>

// The number in the library's name identifies the functions' types, which are those of the header.
static const char library[] = "libdw.so.1";

struct cdwfl_functions dw;

// From libstdc++ (the C++ ABI, cxxabi.h), which is in the program.
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
