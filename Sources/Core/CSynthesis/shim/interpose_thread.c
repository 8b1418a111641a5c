// SPDX-License-Identifier: Apache-2.0
// pthread_create, for the frames of whoever started a thread (frames.h): asyncio looks names up in a thread of a pool, whose own stack has
// the library's functions only. Without an interpreter that tells frames, that is a comparison, and a jump.
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
    // It is read by this thread alone, and stays: an exit from within the routine passes no place of ours.
    frames_begin_thread(&beginning->frames);
    return routine(argument);
}

/// Threads of a process whose starters are told, as that takes two pages of each for good.
enum { FOLLOWED_MAX = 256 };

static atomic_uint followed;

/// Apart: pthread_create is to have no frame.
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
