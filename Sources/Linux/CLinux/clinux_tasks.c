// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "clinux_tasks.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

// From Swift's runtime (swift/Runtime/Concurrency.h).
#define SWIFT __attribute__((swiftcall))

struct job;
// The executor on which a task runs; no particular one here.
struct executor {
    void *identity;
    uintptr_t implementation;
};
typedef SWIFT void original_function(struct job *);
extern SWIFT void (*swift_task_enqueueGlobal_hook)(struct job *, original_function *);
extern SWIFT void swift_job_run(struct job *, struct executor);

struct entry {
    struct entry *next;
    struct job *job;
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t change;
    // In order of arrival.
    struct entry *first, **end;
    int waiting, threads, idle, limit;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER, .change = PTHREAD_COND_INITIALIZER, .end = &pool.first};

static void append(struct entry *entry) {
    entry->next = NULL;
    *pool.end = entry;
    pool.end = &entry->next;
    pool.waiting++;
}

static struct entry *take(void) {
    struct entry *entry = pool.first;
    if (!entry) return NULL;
    pool.first = entry->next;
    if (!pool.first) pool.end = &pool.first;
    pool.waiting--;
    return entry;
}

static void *work(void *unused) {
    pthread_setname_np(pthread_self(), "tasks");
    pthread_mutex_lock(&pool.lock);
    while (true) {
        struct entry *entry = take();
        if (entry) {
            pthread_mutex_unlock(&pool.lock);
            struct job *job = entry->job;
            free(entry);
            swift_job_run(job, (struct executor){NULL, 0});
            pthread_mutex_lock(&pool.lock);
            continue;
        }
        pool.idle++;
        pthread_cond_wait(&pool.change, &pool.lock);
        pool.idle--;
    }
    return unused;
}

static void start_thread(void) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    if (pthread_create(&thread, NULL, work, NULL) == 0) {
        pthread_detach(thread);
        pool.threads++;
    } else if (pool.threads == 0) {
        abort();
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void wake(void) {
    if (pool.threads < pool.limit && (pool.threads == 0 || pool.waiting > pool.idle)) start_thread();
    pthread_cond_signal(&pool.change);
}

static SWIFT void run_soon(struct job *job, original_function *unused) {
    (void)unused;
    struct entry *entry = malloc(sizeof *entry);
    if (!entry) abort();
    entry->job = job;
    pthread_mutex_lock(&pool.lock);
    append(entry);
    wake();
    pthread_mutex_unlock(&pool.lock);
}

void clinux_run_tasks(int threads) {
    pool.limit = threads;
    swift_task_enqueueGlobal_hook = run_soon;
}
