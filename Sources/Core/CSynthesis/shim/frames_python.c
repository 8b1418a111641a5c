// SPDX-License-Identifier: Apache-2.0
// CPython: the output of faulthandler. It is made for signal handlers, so it takes no lock and allocates nothing. It reads the frames of a
// thread, which cannot go on while it is in our call, with or without the interpreter's lock.
#define _GNU_SOURCE
#include "frames.h"
#include "scratch.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static void (*dump)(int, void *);
static void *(*this_thread)(void);

bool frames_find_python(void) {
    *(void **)&dump = dlsym(RTLD_DEFAULT, "_Py_DumpTraceback");
    *(void **)&this_thread = dlsym(RTLD_DEFAULT, "PyGILState_GetThisThreadState");
    return dump != NULL && this_thread != NULL;
}

/// `  File "FILE", line LINE in FUNCTION`
static bool add(struct frames_text *text, const char *line) {
    static const char before[] = "  File \"", between[] = "\", line ";
    if (strncmp(line, before, sizeof before - 1) != 0) return true;
    const char *file = line + sizeof before - 1, *file_end = strstr(file, between);
    if (file_end == NULL) return true;
    char *end;
    long number = strtol(file_end + sizeof between - 1, &end, 10);
    if (strncmp(end, " in ", 4) != 0) return true;
    return frames_add(text, file, (size_t)(file_end - file), number, end + 4, strlen(end + 4));
}

struct traceback {
    char text[16384];
};

void frames_of_python(struct frames_text *text) {
    void *thread = this_thread();
    if (thread == NULL) return;
    int file = (int)syscall(SYS_memfd_create, "ipv6check", MFD_CLOEXEC);
    if (file < 0) return;
    struct traceback *traceback = scratch_take(sizeof *traceback);
    if (traceback != NULL) {
        dump(file, thread);
        ssize_t size = pread(file, traceback->text, sizeof traceback->text - 1, 0);
        char *line = traceback->text;
        // The last line may be cut; it is left out then.
        for (char *end; size > 0 && (end = strchr(line, '\n')) != NULL; line = end + 1) {
            *end = '\0';
            if (!add(text, line)) break;
        }
        scratch_give_back(traceback, sizeof *traceback);
    }
    close(file);
}
