// Asks getaddrinfo each question of standard input and writes one line for each answer, every field in it.
//
//      ask [threads N | fork | vfork | times N]
//
// A question is a line `node TAB service TAB hints`, NULL as \N, hints as \N or `family,socktype,protocol,flags`. An
// answer is the result, and for each entry ` flags/family/socktype/protocol/length/port/address/scope/flow/canonname`.
// With `threads`, all of them ask everything at once and have to agree. With `fork` and `vfork`, children ask as well:
// of vfork, while sharing this process's memory. Lines that are no questions: `@run TAB command TAB \N` has a shell do
// something, `@advance TAB seconds TAB \N` puts the clock forward (with the library of clock.c preloaded).
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <netdb.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct question {
    char *line, *node, *service;
    struct addrinfo hints;
    int has_hints;
};

static struct question *questions;
static size_t count;

static char *text_or_null(char *text) { return strcmp(text, "\\N") == 0 ? NULL : text; }

static void read_questions(void) {
    char *line = NULL;
    size_t room = 0, capacity = 0;
    for (ssize_t size; (size = getline(&line, &room, stdin)) > 0;) {
        if (line[size - 1] == '\n') line[size - 1] = '\0';
        if (count == capacity) {
            capacity = capacity * 2 + 16;
            questions = realloc(questions, capacity * sizeof *questions);
        }
        struct question question = {.line = strdup(line)};
        char *rest = question.line;
        question.node = text_or_null(strsep(&rest, "\t"));
        question.service = text_or_null(strsep(&rest, "\t"));
        char *hints = text_or_null(strsep(&rest, "\t"));
        if (hints != NULL) {
            struct addrinfo *h = &question.hints;
            question.has_hints = 1;
            if (sscanf(hints, "%d,%d,%d,%i", &h->ai_family, &h->ai_socktype, &h->ai_protocol, &h->ai_flags) != 4) abort();
        }
        questions[count++] = question;
    }
    free(line);
}

static void write_entry(FILE *out, const struct addrinfo *entry) {
    char address[INET6_ADDRSTRLEN] = "?";
    unsigned port = 0, scope = 0, flow = 0;
    if (entry->ai_addr->sa_family != entry->ai_family) abort();
    if (entry->ai_family == AF_INET) {
        const struct sockaddr_in *in = (const struct sockaddr_in *)entry->ai_addr;
        inet_ntop(AF_INET, &in->sin_addr, address, sizeof address);
        port = ntohs(in->sin_port);
    } else {
        const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)entry->ai_addr;
        inet_ntop(AF_INET6, &in6->sin6_addr, address, sizeof address);
        port = ntohs(in6->sin6_port);
        scope = in6->sin6_scope_id;
        flow = in6->sin6_flowinfo;
    }
    fprintf(
        out, " %d/%d/%d/%d/%u/%u/%s/%u/%u/%s", entry->ai_flags, entry->ai_family, entry->ai_socktype,
        entry->ai_protocol, (unsigned)entry->ai_addrlen, port, address, scope, flow,
        entry->ai_canonname != NULL ? entry->ai_canonname : "-");
}

/// Carries out a line that is no question; 0 where it is one.
static int act(const struct question *question) {
    if (question->node == NULL || question->node[0] != '@') return 0;
    if (strcmp(question->node, "@advance") == 0) {
        void (*advance_clock)(long) = (void (*)(long))dlsym(RTLD_DEFAULT, "advance_clock");
        advance_clock(atol(question->service));
    } else if (system(question->service) != 0) {
        abort();
    }
    return 1;
}

static void ask_all(FILE *out) {
    for (size_t i = 0; i < count; i++) {
        const struct question *question = &questions[i];
        if (act(question)) continue;
        struct addrinfo *answer = NULL;
        int result = getaddrinfo(
            question->node, question->service, question->has_hints ? &question->hints : NULL, &answer);
        fprintf(out, "%d", result);
        if (result == 0) {
            for (const struct addrinfo *entry = answer; entry != NULL; entry = entry->ai_next) write_entry(out, entry);
            freeaddrinfo(answer);
        }
        fputc('\n', out);
    }
}

static void *ask_into_memory(void *unused) {
    (void)unused;
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    ask_all(out);
    fclose(out);
    return text;
}

static void ask_with_threads(int threads) {
    pthread_t ids[256];
    char *first = NULL;
    for (int i = 0; i < threads; i++) {
        if (pthread_create(&ids[i], NULL, ask_into_memory, NULL) != 0) abort();
    }
    for (int i = 0; i < threads; i++) {
        void *text;
        pthread_join(ids[i], &text);
        if (first == NULL) {
            first = text;
        } else {
            if (strcmp(first, text) != 0) abort();
            free(text);
        }
    }
    fputs(first, stdout);
    free(first);
}

static void expect_success(pid_t child) {
    int status;
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) abort();
}

/// The child's answers have to be the parent's.
static void ask_across_fork(void) {
    char *before = ask_into_memory(NULL);
    pid_t child = fork();
    if (child == 0) {
        char *after = ask_into_memory(NULL);
        _exit(strcmp(before, after) != 0);
    }
    expect_success(child);
    fputs(before, stdout);
    free(before);
}

/// A child of vfork runs on its parent's stack and memory until it exits.
static void ask_across_vfork(void) {
    char *volatile before = NULL;
    pid_t child = vfork();
    if (child == 0) {
        before = ask_into_memory(NULL);
        _exit(0);
    }
    expect_success(child);
    char *after = ask_into_memory(NULL);
    if (strcmp(before, after) != 0) abort();
    fputs(after, stdout);
    free(before);
    free(after);
}

static int open_descriptors(void) {
    int number = 0;
    DIR *directory = opendir("/proc/self/fd");
    while (directory != NULL && readdir(directory) != NULL) number++;
    if (directory != NULL) closedir(directory);
    return number;
}

int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "";
    int number = argc > 2 ? atoi(argv[2]) : 1;
    read_questions();
    int before = open_descriptors();
    if (strcmp(mode, "threads") == 0) {
        ask_with_threads(number);
    } else if (strcmp(mode, "fork") == 0) {
        ask_across_fork();
    } else if (strcmp(mode, "vfork") == 0) {
        ask_across_vfork();
    } else {
        for (int i = 0; i < number; i++) ask_all(stdout);
    }
    if (open_descriptors() != before) abort();
    for (size_t i = 0; i < count; i++) free(questions[i].line);
    free(questions);
    return 0;
}
// SPDX-License-Identifier: Apache-2.0
