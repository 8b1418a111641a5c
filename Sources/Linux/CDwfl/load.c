#include "CDwfl.h"
#include "functions.h"

#include <dlfcn.h>
#include <stdlib.h>

// The number in the library's name stands for the functions' types, which the header has.
static const char library[] = "libdw.so.1";
// The demangler's; not every machine has it.
static const char cxx_library[] = "libstdc++.so.6";

struct cdwfl_functions dw;
static char *(*demangle)(const char *, char *, size_t *, int *);

const char *cdwfl_load(void) {
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!handle) return dlerror();
#define FUNCTION(name) \
    if (!(*(void **)&dw.name = dlsym(handle, #name))) return "it has no " #name;
    CDWFL_FUNCTIONS(FUNCTION)
#undef FUNCTION
    void *cxx = dlopen(cxx_library, RTLD_NOW | RTLD_LOCAL);
    if (cxx) *(void **)&demangle = dlsym(cxx, "__cxa_demangle");
    return NULL;
}

char *cdwfl_demangle(const char *symbol) {
    int status;
    return demangle ? demangle(symbol, NULL, NULL, &status) : NULL;
}
