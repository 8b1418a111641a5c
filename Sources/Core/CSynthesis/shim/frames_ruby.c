// SPDX-License-Identifier: Apache-2.0
// Ruby: the functions that sampling profilers call from signal handlers. They allocate nothing, and read the frames of a thread that is in
// our call.
#define _GNU_SOURCE
#include "frames.h"

#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

typedef uintptr_t value;

/// Values up to this are no objects of Ruby: false, nil and similar ones. And the number of frames that are read.
enum { no_objects = 0x3f, depth = 128 };

static int (*profile)(int, int, value *, int *);
static value (*path_of)(value);
static value (*label_of)(value);
static char *(*text_of)(volatile value *);
static int (*is_thread)(void);

bool frames_find_ruby(void) {
    *(void **)&profile = dlsym(RTLD_DEFAULT, "rb_profile_frames");
    *(void **)&path_of = dlsym(RTLD_DEFAULT, "rb_profile_frame_path");
    *(void **)&label_of = dlsym(RTLD_DEFAULT, "rb_profile_frame_label");
    *(void **)&text_of = dlsym(RTLD_DEFAULT, "rb_string_value_ptr");
    *(void **)&is_thread = dlsym(RTLD_DEFAULT, "ruby_native_thread_p");
    return profile != NULL && path_of != NULL && label_of != NULL && text_of != NULL && is_thread != NULL;
}

void frames_of_ruby(struct frames_text *text) {
    value frames[depth];
    int lines[depth];
    if (!is_thread()) return;
    int count = profile(0, depth, frames, lines);
    for (int i = 0; i < count; i++) {
        volatile value path = path_of(frames[i]), label = label_of(frames[i]);
        // A function in C has no path of its own.
        if (path <= no_objects || lines[i] <= 0) continue;
        const char *file = text_of(&path), *function = label > no_objects ? text_of(&label) : "";
        if (!frames_add(text, file, strlen(file), lines[i], function, strlen(function))) return;
    }
}
