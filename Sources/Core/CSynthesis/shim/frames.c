// See frames.h.
#define _GNU_SOURCE
#include "frames.h"
#include "scope.h"
#include "scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char opening[] = "/dev/ipv6check/frames/1\nfor=\n";

static void (*tell)(struct frames_text *);

static void add_name(struct frames_text *text, const char *name, size_t size) {
    for (size_t i = 0; i < size; i++) {
        char octet = name[i];
        text->text[text->size++] = octet == '\n' || octet == '\t' || octet == '\0' ? ' ' : octet;
    }
}

bool frames_add(
    struct frames_text *text, const char *file, size_t file_size, long line, const char *function, size_t function_size
) {
    char number[24];
    int digits = snprintf(number, sizeof number, "%ld", line > 0 ? line : 0);
    // Two tabs, a line feed and the NUL at the end.
    size_t room = sizeof text->text - text->size;
    if (file_size == 0 || file_size > room || function_size > room || file_size + function_size + (size_t)digits + 4 > room)
        return false;
    add_name(text, file, file_size);
    text->text[text->size++] = '\t';
    add_name(text, number, (size_t)digits);
    text->text[text->size++] = '\t';
    add_name(text, function, function_size);
    text->text[text->size++] = '\n';
    return true;
}

bool frames_wanted(void) { return tell != NULL; }

void frames_tell(void) {
    struct scope scope;
    if (!scope_enter(&scope)) return;
    int saved = errno;
    struct frames_text *text = scratch_take(sizeof *text);
    if (text != NULL) {
        memcpy(text->text, opening, sizeof opening);
        text->size = sizeof opening - 1;
        tell(text);
        text->text[text->size] = '\0';
        // Nothing to tell: the tracer takes the native stack.
        if (text->size >= sizeof opening) syscall(SYS_openat, AT_FDCWD, text->text, O_RDONLY | O_CLOEXEC);
        scratch_give_back(text, sizeof *text);
    }
    errno = saved;
    scope_leave(&scope);
}

__attribute__((constructor)) static void load(void) {
    const char *wanted = getenv("IPV6CHECK_FRAMES");
    if (wanted == NULL || strcmp(wanted, "1") != 0) return;
    if (frames_find_python()) {
        tell = frames_of_python;
    } else if (frames_find_ruby()) {
        tell = frames_of_ruby;
    } else if (frames_find_php()) {
        tell = frames_of_php;
    } else if (frames_find_java()) {
        tell = frames_of_java;
    }
}
