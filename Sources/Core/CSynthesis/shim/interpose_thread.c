// SPDX-License-Identifier: Apache-2.0
// pthread_create, for the frames of the thread that started another (frames.h): asyncio looks names up in a thread of a pool, whose own
// stack has only the library's functions. Without an interpreter that provides frames, the cost is a comparison and a jump.
#define _GNU_SOURCE
#include "frames.h"
#include "interpose.h"
#include "real.h"
#include "scratch.h"

#include <stdatomic.h>

struct beginning {
    void *(*routine)(void *);
    void *argument;
    struct frames_text frames;
};

static void *begin(void *given) {
    struct beginning *beginning = given;
    void *(*routine)(void *) = beginning->routine;
    void *argument = beginning->argument;
    // Only this thread reads it. It is never freed, as the routine may end the thread without returning here.
    frames_begin_thread(&beginning->frames);
    return routine(argument);
}

/// The maximum of threads of a process whose starters are recorded, as each takes two pages permanently.
enum { FOLLOWED_MAX = 256 };

static atomic_uint followed;

/// A separate function: pthread_create must have no frame.
__attribute__((noinline)) static int create_told(
    pthread_t *thread, const pthread_attr_t *attributes, void *(*routine)(void *), void *argument
) {
    bool is_among_first = atomic_load(&followed) < FOLLOWED_MAX && atomic_fetch_add(&followed, 1) < FOLLOWED_MAX;
    struct beginning *beginning = is_among_first ? scratch_take(sizeof *beginning) : NULL;
    if (beginning == NULL) return real_thread()->pthread_create(thread, attributes, routine, argument);
    beginning->routine = routine;
    beginning->argument = argument;
    frames_of_this_thread(&beginning->frames);
    int result = real_thread()->pthread_create(thread, attributes, begin, beginning);
    if (result != 0) scratch_give_back(beginning, sizeof *beginning);
    return result;
}

INTERPOSED int pthread_create(
    pthread_t *thread, const pthread_attr_t *attributes, void *(*routine)(void *), void *argument
) {
    if (frames_follow_threads()) return create_told(thread, attributes, routine, argument);
    return real_thread()->pthread_create(thread, attributes, routine, argument);
}
