// exec and its kin: passed on as they are, and reported, for the runner to see which of the programs that the client
// starts cannot be given synthesis: what loads no library tells nobody about itself.
//
// These functions are called between fork and exec, where another thread may have left any lock locked. So nothing here
// takes one: the real functions are known from the start (real_exec), and the rest is system calls. posix_spawn is called
// by a whole process, but may be called by a child of vfork as well.
#define _GNU_SOURCE
#include "evidence.h"
#include "interpose.h"
#include "real.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

/// Whether the new program will find us in its environment.
static bool keeps_library(char *const *environment) {
    for (; environment != NULL && *environment != NULL; environment++) {
        if (strncmp(*environment, "LD_PRELOAD=", 11) == 0) return strstr(*environment, "libipv6synth") != NULL;
    }
    return false;
}

static bool is_program(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

/// Puts `directory`/`file` into `path`; false where it does not fit.
static bool join(char path[PATH_MAX], const char *directory, size_t size, const char *file) {
    size_t length = strlen(file);
    if (size + 1 + length >= PATH_MAX) return false;
    memcpy(path, directory, size);
    path[size] = '/';
    memcpy(path + size + 1, file, length + 1);
    return true;
}

/// Finds a program as execvp does. False where there is none, or it is too far down to be named.
static bool find_in_path(const char *file, char path[PATH_MAX]) {
    const char *directory = getenv("PATH");
    if (directory == NULL) directory = "/bin:/usr/bin";
    for (;; directory++) {
        size_t size = strcspn(directory, ":");
        bool joined = size > 0 ? join(path, directory, size, file) : join(path, ".", 1, file);
        if (joined && is_program(path)) return true;
        directory += size;
        if (*directory == '\0') return false;
    }
}

static void report(const char *file, char *const *environment, bool searches_path) {
    if (!evidence_wanted() || file == NULL || *file == '\0') return;
    int saved = errno;
    char found[PATH_MAX], absolute[PATH_MAX];
    const char *path = file;
    bool is_found;
    if (searches_path && strchr(file, '/') == NULL) {
        is_found = find_in_path(file, found);
        path = found;
    } else {
        is_found = is_program(file);
    }
    if (is_found && *path != '/') {
        char folder[PATH_MAX];
        while (path[0] == '.' && path[1] == '/') path += 2;
        is_found = getcwd(folder, sizeof folder) != NULL && join(absolute, folder, strlen(folder), path);
        path = absolute;
    }
    if (is_found) {
        struct synthesis_record record = {.call = "execve", .node = path, .result = keeps_library(environment)};
        evidence_send(&record, NULL);
    }
    errno = saved;
}

INTERPOSED int execve(const char *path, char *const arguments[], char *const environment[]) {
    report(path, environment, false);
    return real_exec()->execve(path, arguments, environment);
}

INTERPOSED int execv(const char *path, char *const arguments[]) {
    report(path, environ, false);
    return real_exec()->execv(path, arguments);
}

INTERPOSED int execvp(const char *file, char *const arguments[]) {
    report(file, environ, true);
    return real_exec()->execvp(file, arguments);
}

INTERPOSED int execvpe(const char *file, char *const arguments[], char *const environment[]) {
    report(file, environment, true);
    return real_exec()->execvpe(file, arguments, environment);
}

INTERPOSED int posix_spawn(
    pid_t *restrict pid, const char *restrict path, const posix_spawn_file_actions_t *actions,
    const posix_spawnattr_t *restrict attributes, char *const arguments[restrict], char *const environment[restrict]
) {
    report(path, environment, false);
    return real_exec()->posix_spawn(pid, path, actions, attributes, arguments, environment);
}

INTERPOSED int posix_spawnp(
    pid_t *restrict pid, const char *restrict file, const posix_spawn_file_actions_t *actions,
    const posix_spawnattr_t *restrict attributes, char *const arguments[restrict], char *const environment[restrict]
) {
    report(file, environment, true);
    return real_exec()->posix_spawnp(pid, file, actions, attributes, arguments, environment);
}

// The arguments of the functions with an l are a list that ends with NULL; what they are given becomes a vector on the
// stack, as in the libc.

static size_t count_words(va_list words) {
    size_t count = 1;
    while (va_arg(words, char *) != NULL) count++;
    return count;
}

/// Fills in the vector, and leaves `words` behind the NULL.
static void collect(char **arguments, const char *first, va_list *words) {
    *arguments++ = (char *)first;
    while ((*arguments++ = va_arg(*words, char *)) != NULL) {}
}

/// Declares `arguments`, and takes what comes behind them.
#define COLLECT(arguments, first, take_rest)                 \
    va_list words;                                           \
    va_start(words, first);                                  \
    char *arguments[count_words(words) + 1];                 \
    va_end(words);                                           \
    va_start(words, first);                                  \
    collect(arguments, first, &words);                       \
    take_rest;                                               \
    va_end(words)

INTERPOSED int execl(const char *path, const char *first, ...) {
    COLLECT(arguments, first, );
    return execv(path, arguments);
}

INTERPOSED int execlp(const char *file, const char *first, ...) {
    COLLECT(arguments, first, );
    return execvp(file, arguments);
}

INTERPOSED int execle(const char *path, const char *first, ...) {
    COLLECT(arguments, first, char *const *environment = va_arg(words, char *const *));
    return execve(path, arguments, environment);
}
