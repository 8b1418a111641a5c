// PHP: the innermost line only, which is all that it tells without allocating. Its state is the main thread's.
#define _GNU_SOURCE
#include "frames.h"

#include <dlfcn.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *(*file_now)(void);
static uint32_t (*line_now)(void);

bool frames_find_php(void) {
    *(void **)&file_now = dlsym(RTLD_DEFAULT, "zend_get_executed_filename");
    *(void **)&line_now = dlsym(RTLD_DEFAULT, "zend_get_executed_lineno");
    return file_now != NULL && line_now != NULL;
}

void frames_of_php(struct frames_text *text) {
    if (syscall(SYS_gettid) != getpid()) return;
    const char *file = file_now();
    // `[no active file]`
    if (file == NULL || file[0] == '[') return;
    frames_add(text, file, strlen(file), (long)line_now(), "", 0);
}
