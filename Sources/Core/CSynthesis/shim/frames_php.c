// SPDX-License-Identifier: Apache-2.0
// PHP: the innermost line from PHP's own functions, which do not allocate, and the callers as its own backtrace reads them. The state
// belongs to the main thread.
//
// The layout of that state is not part of PHP's interface. Most of it has been the same since 7.0 (zend_execute_data, zend_op, zend_string,
// the beginning of zend_function; zend_compile.h, zend_types.h). Two offsets are not, and are searched for once: that of the current
// function among the globals, and that of the file in a function. They are correct if following them leads to the innermost file and line
// that PHP returns.
#define _GNU_SOURCE
#include "frames.h"
#include "frames_memory.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/// zend_execute_data
enum { opcode = 0, function = 24, caller = 48 };
/// zend_function. The type is an octet, which is even for PHP code; the file is a zend_string.
enum { function_name = 8, function_name_end = 16, function_limit = 320 };
/// zend_op, zend_string
enum { opcode_line = 24, string_size = 16, string_text = 24 };
/// The searched part of the globals, in octets.
enum { globals_limit = 2048 };

/// Native functions are skipped.
enum { depth = 128, walk_limit = 256 };

static const char *(*file_now)(void);
static void *(*file_string_now)(void);
static uint32_t (*line_now)(void);
static const void *globals;

/// Offsets; 0 until they are known, and `unknown` if they were not found.
enum { unknown = UINT16_MAX };
static _Atomic uint16_t current, function_file;

bool frames_find_php(void) {
    *(void **)&file_now = dlsym(RTLD_DEFAULT, "zend_get_executed_filename");
    *(void **)&file_string_now = dlsym(RTLD_DEFAULT, "zend_get_executed_filename_ex");
    *(void **)&line_now = dlsym(RTLD_DEFAULT, "zend_get_executed_lineno");
    // This symbol does not exist if each thread has its own globals.
    globals = dlsym(RTLD_DEFAULT, "executor_globals");
    return file_now != NULL && line_now != NULL;
}

/// The first call of a chain to PHP code, not to a native function; 0 if there is none.
static uint64_t user_call(uint64_t call) {
    for (int i = 0; call != 0 && i < walk_limit; i++) {
        uint64_t called = frames_read_word(call + function);
        uint8_t type;
        if (called != 0 && frames_read(called, &type, 1) == 1 && (type & 1) == 0) return call;
        call = frames_read_word(call + caller);
    }
    return 0;
}

static uint32_t line_of(uint64_t call) { return frames_read_number(frames_read_word(call + opcode) + opcode_line); }

/// Whether the first PHP function of this chain is the innermost one. If so, stores the offset of its file.
static bool is_innermost(uint64_t call) {
    uint64_t words[function_limit / 8], file = (uintptr_t)file_string_now();
    call = user_call(call);
    if (call == 0 || file == 0 || line_of(call) != line_now()) return false;
    size_t count = frames_read(frames_read_word(call + function), words, sizeof words) / 8;
    for (size_t i = function_name_end / 8; i < count; i++) {
        if (words[i] != file) continue;
        atomic_store(&function_file, (uint16_t)(i * 8));
        return true;
    }
    return false;
}

static void find_offsets(void) {
    if (sizeof(void *) == 8 && globals != NULL && file_string_now != NULL)
        for (uint16_t offset = 8; offset < globals_limit; offset += 8) {
            uint64_t call = frames_read_word((uintptr_t)globals + offset);
            if (call % 8 != 0 || !is_innermost(call)) continue;
            atomic_store(&current, offset);
            return;
        }
    atomic_store(&current, unknown);
}

/// A zend_string; 0 if it is none, or too long.
static size_t read_string(uint64_t at, char *text, size_t room) {
    uint64_t size = at != 0 ? frames_read_word(at + string_size) : 0;
    return size != 0 && size <= room && frames_read(at + string_text, text, size) == size ? size : 0;
}

static bool add(struct frames_text *text, uint64_t call) {
    char file[1000], name[200];
    uint64_t called = frames_read_word(call + function);
    size_t size = read_string(frames_read_word(called + atomic_load(&function_file)), file, sizeof file);
    if (size == 0) return true;
    size_t name_size = read_string(frames_read_word(called + function_name), name, sizeof name);
    return frames_add(text, file, size, (long)line_of(call), name, name_size);
}

void frames_of_php(struct frames_text *text) {
    if (syscall(SYS_gettid) != getpid()) return;
    const char *file = file_now();
    // `[no active file]`
    if (file == NULL || file[0] == '[') return;
    if (atomic_load(&current) == 0) find_offsets();
    uint16_t offset = atomic_load(&current);
    if (offset == unknown) {
        frames_add(text, file, strlen(file), (long)line_now(), "", 0);
        return;
    }
    uint64_t call = user_call(frames_read_word((uintptr_t)globals + offset));
    for (int told = 0; call != 0 && told < depth && add(text, call); told++)
        call = user_call(frames_read_word(call + caller));
}
