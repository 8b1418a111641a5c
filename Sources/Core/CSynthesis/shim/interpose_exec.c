// SPDX-License-Identifier: Apache-2.0
// exec and its variants: passed on unchanged, and reported, so that the runner sees which of the programs that the client starts cannot
// have synthesis: a program that loads no library sends no evidence.
//
// These functions are called between fork and exec, where another thread may have left any lock locked. So nothing here takes a lock: the
// real functions are known from the start (real_exec), and the rest is system calls. posix_spawn is called by a whole process, but may be
// called by a child of vfork as well.
#define _GNU_SOURCE
#include "evidence.h"
#include "interpose.h"
#include "real.h"
#include "scratch.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

/// The position of a variable in an environment, `name` with its `=`; the number of variables if it is not there.
static size_t find_variable(char *const *environment, const char *name) {
    size_t place = 0;
    while (environment != NULL && environment[place] != NULL && strncmp(environment[place], name, strlen(name)) != 0) place++;
    return place;
}

/// Whether the new program will find the shim in its environment.
static bool keeps_library(char *const *environment) {
    size_t place = find_variable(environment, "LD_PRELOAD=");
    return environment != NULL && environment[place] != NULL && strstr(environment[place], "libipv6synth") != NULL;
}

/// The environment of a new program.
struct passed_environment {
    char *const *variables;
    /// Memory that was allocated for the variables; NULL if they are the caller's.
    void *memory;
    size_t size;
};

/// gcc's dynamic libasan ends a program if another library comes before it, unless ASAN_OPTIONS allows that. The runner sets the option in
/// the client's environment; a client that gives its children options of its own, as test suites do, would remove it.
static struct passed_environment pass(char *const *environment) {
    static const char option[] = "ASAN_OPTIONS=verify_asan_link_order=0:";
    const size_t name = sizeof "ASAN_OPTIONS=" - 1;
    struct passed_environment passed = {.variables = environment};
    if (!keeps_library(environment)) return passed;
    size_t place = find_variable(environment, "ASAN_OPTIONS=");
    const char *given = environment[place] == NULL ? "" : environment[place] + name;
    if (strstr(given, "verify_asan_link_order") != NULL) return passed;
    size_t count = place;
    while (environment[count] != NULL) count++;
    // The vector has room for one more variable and the final NULL.
    size_t vector = (count + 2) * sizeof *environment;
    passed.size = vector + sizeof option + strlen(given);
    char **copy = passed.memory = scratch_take(passed.size);
    if (copy == NULL) return passed;
    char *text = (char *)copy + vector;
    memcpy(copy, environment, count * sizeof *copy);
    memcpy(text, option, sizeof option - 1);
    memcpy(text + sizeof option - 1, given, strlen(given) + 1);
    copy[place] = text;
    passed.variables = copy;
    return passed;
}

/// Frees the memory after a failed exec, or a spawn. If a vfork's child executes a program, the memory stays with the parent.
static int give_back(struct passed_environment passed, int result) {
    int saved = errno;
    if (passed.memory != NULL) scratch_give_back(passed.memory, passed.size);
    errno = saved;
    return result;
}

static bool is_program(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

/// A path under construction.
struct path {
    size_t size;
    char text[PATH_MAX];
};

/// Appends a slash and `size` octets; false if they do not fit.
static bool append(struct path *path, const char *part, size_t size) {
    if (path->size + 1 + size >= sizeof path->text) return false;
    path->text[path->size++] = '/';
    memcpy(path->text + path->size, part, size);
    path->size += size;
    path->text[path->size] = '\0';
    return true;
}

/// Starts with a folder, made absolute; the path is empty for the root. By system call: glibc's getcwd allocates if the folder's path is
/// too long.
static bool begin(struct path *path, const char *folder, size_t size) {
    path->size = 0;
    while (size > 0 && folder[size - 1] == '/') size--;
    if (*folder == '/') return size == 0 || append(path, folder + 1, size - 1);
    // Its result counts the NUL; a path that is not reachable from here begins with no slash (getcwd(2)).
    long current = syscall(SYS_getcwd, path->text, sizeof path->text);
    if (current < 2 || path->text[0] != '/') return false;
    path->size = current == 2 ? 0 : (size_t)current - 1;
    return size == 0 || (size == 1 && *folder == '.') || append(path, folder, size);
}

static bool leads_to_program(struct path *path, const char *folder, size_t size, const char *file) {
    return begin(path, folder, size) && append(path, file, strlen(file)) && is_program(path->text);
}

/// Finds a program as execvp does. False if there is none, or its path is too long.
static bool find_in_path(struct path *path, const char *file) {
    const char *folder = getenv("PATH");
    if (folder == NULL) folder = "/bin:/usr/bin";
    for (;; folder++) {
        size_t size = strcspn(folder, ":");
        if (leads_to_program(path, folder, size, file)) return true;
        folder += size;
        if (*folder == '\0') return false;
    }
}

/// The absolute path of the program that is to be started; false if there is none.
static bool find(struct path *path, const char *file, bool searches_path) {
    if (searches_path && strchr(file, '/') == NULL) return find_in_path(path, file);
    if (*file == '/') return leads_to_program(path, "/", 1, file + 1);
    while (file[0] == '.' && file[1] == '/') {
        file += 2;
        while (*file == '/') file++;
    }
    return leads_to_program(path, "", 0, file);
}

static void tell(const char *path, char *const *environment) {
    struct synthesis_record record = {.call = "execve", .node = path, .result = keeps_library(environment)};
    evidence_send(&record, NULL);
}

static void report(const char *file, char *const *environment, bool searches_path) {
    if (!evidence_wanted() || file == NULL || *file == '\0') return;
    int saved = errno;
    struct path *path = scratch_take(sizeof *path);
    if (path != NULL) {
        if (find(path, file, searches_path)) tell(path->text, environment);
        scratch_give_back(path, sizeof *path);
    }
    errno = saved;
}

INTERPOSED int execve(const char *path, char *const arguments[], char *const environment[]) {
    report(path, environment, false);
    struct passed_environment passed = pass(environment);
    return give_back(passed, real_exec()->execve(path, arguments, passed.variables));
}

INTERPOSED int execv(const char *path, char *const arguments[]) { return execve(path, arguments, environ); }

INTERPOSED int execvpe(const char *file, char *const arguments[], char *const environment[]) {
    report(file, environment, true);
    struct passed_environment passed = pass(environment);
    return give_back(passed, real_exec()->execvpe(file, arguments, passed.variables));
}

INTERPOSED int execvp(const char *file, char *const arguments[]) { return execvpe(file, arguments, environ); }

INTERPOSED int posix_spawn(
    pid_t *restrict pid, const char *restrict path, const posix_spawn_file_actions_t *actions,
    const posix_spawnattr_t *restrict attributes, char *const arguments[restrict], char *const environment[restrict]
) {
    report(path, environment, false);
    struct passed_environment passed = pass(environment);
    return give_back(passed, real_exec()->posix_spawn(pid, path, actions, attributes, arguments, passed.variables));
}

INTERPOSED int posix_spawnp(
    pid_t *restrict pid, const char *restrict file, const posix_spawn_file_actions_t *actions,
    const posix_spawnattr_t *restrict attributes, char *const arguments[restrict], char *const environment[restrict]
) {
    report(file, environment, true);
    struct passed_environment passed = pass(environment);
    return give_back(passed, real_exec()->posix_spawnp(pid, file, actions, attributes, arguments, passed.variables));
}

// The arguments of the variants with an l are a list that ends with NULL; they become a vector on the stack, as in the libc.

static size_t count_words(va_list words) {
    size_t count = 1;
    while (va_arg(words, char *) != NULL) count++;
    return count;
}

/// Fills in the vector, and leaves `words` after the NULL.
static void collect(char **arguments, const char *first, va_list *words) {
    *arguments++ = (char *)first;
    while ((*arguments++ = va_arg(*words, char *)) != NULL) {}
}

/// Declares `arguments`, and takes the words after them.
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
