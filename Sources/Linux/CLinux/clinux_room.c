// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "clinux_room.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>

// A limit of at least this many processes is not reached by accident.
enum { ample_processes = 1024 };

// Whether there is a relevant limit: the rehearsal takes half a millisecond.
static bool is_limited(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) return true;
    if (getrlimit(RLIMIT_NPROC, &limit) == 0 && limit.rlim_cur < ample_processes) return true;
    // A container sees its own control group as the root; on the machine itself, the root group has no such file.
    FILE *file = fopen("/sys/fs/cgroup/pids.max", "re");
    if (!file) return false;
    long most = ample_processes;
    // "max" is not a number.
    const bool is_number = fscanf(file, "%ld", &most) == 1;
    fclose(file);
    return is_number && most < ample_processes;
}

// Waits until all threads have been started.
static void *wait_for(void *gate) {
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

// Returns 0 or an errno.
static int rehearse_threads(int count) {
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    pthread_t threads[64];
    if (count > 64) count = 64;
    int made = 0, error = 0;
    pthread_mutex_lock(&gate);
    while (made < count && (error = pthread_create(&threads[made], NULL, wait_for, &gate)) == 0) made++;
    pthread_mutex_unlock(&gate);
    while (made > 0) pthread_join(threads[--made], NULL);
    return error;
}

int clinux_rehearse_room(int threads, size_t memory, int descriptors) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < (rlim_t)descriptors) {
        errno = EMFILE;
        return clinux_room_no_descriptors;
    }
    if (!is_limited()) return clinux_room_enough;
    void *reserved = mmap(NULL, memory, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (reserved == MAP_FAILED) return clinux_room_no_memory;
    const int error = rehearse_threads(threads);
    munmap(reserved, memory);
    if (error == 0) return clinux_room_enough;
    // glibc returns EAGAIN for lack of memory for a stack, too.
    errno = error;
    return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY ? clinux_room_no_memory
                                                                               : clinux_room_no_threads;
}
