// SPDX-License-Identifier: Apache-2.0
// Perl: its stack of contexts, as caller reads it. No function of Perl is called: it may allocate, give up by a jump, or run code of the
// program.
//
// The layout is not part of Perl's interface, and differs with the version and the build: the numbers are those of 5.36 with threads on a
// 64-bit machine, as Debian builds it (intrpvar.h, cop.h, cv.h, hv.h). For any other Perl nothing is reported.
#define _GNU_SOURCE
#include "frames.h"
#include "frames_memory.h"

#include <dlfcn.h>
#include <stdint.h>

enum { revision = 5, version = 36 };

/// struct interpreter
enum { current_cop = 208, current_stack = 224 };
/// COP
enum { operator_function = 16, cop_line = 36, cop_file = 48 };
/// PERL_SI
enum { contexts = 8, previous_stack = 16, context_index = 32 };
/// PERL_CONTEXT, and the kinds of context that caller lists: a sub, a format, and an eval that is no block.
enum { context_size = 104, context_type = 0, old_cop = 16, context_sub = 72 };
enum { kind_mask = 0xf, kind_sub = 9, kind_format = 10, kind_eval = 11, is_block = 0x40 };
/// SV, XPVCV, XPVGV, HEK
enum { body = 0, sub_glob = 56, sub_flags = 92, sub_is_named = 0x8000, glob_name = 32, name_size = 4, name_text = 8 };

/// Contexts include blocks and loops.
enum { depth = 128, contexts_limit = 512, stacks_limit = 32 };

static void *(*interpreter_now)(void);
static const void *next_state, *debugged_state;

bool frames_find_perl(void) {
    const uint8_t *found_revision = dlsym(RTLD_DEFAULT, "PL_revision"), *found_version = dlsym(RTLD_DEFAULT, "PL_version");
    // This symbol does not exist in an interpreter without threads.
    if (sizeof(void *) != 8 || dlsym(RTLD_DEFAULT, "PL_thr_key") == NULL) return false;
    if (found_revision == NULL || *found_revision != revision || found_version == NULL || *found_version != version) return false;
    next_state = dlsym(RTLD_DEFAULT, "Perl_pp_nextstate");
    debugged_state = dlsym(RTLD_DEFAULT, "Perl_pp_dbstate");
    *(void **)&interpreter_now = dlsym(RTLD_DEFAULT, "Perl_get_context");
    return next_state != NULL && debugged_state != NULL && interpreter_now != NULL;
}

/// The name of a sub, without its package.
static size_t read_name(uint64_t sub, char *text, size_t room) {
    uint64_t members = frames_read_word(sub + body);
    uint64_t name = frames_read_word(members + sub_glob);
    if ((frames_read_number(members + sub_flags) & sub_is_named) == 0)
        name = frames_read_word(frames_read_word(name + body) + glob_name);
    uint32_t size = frames_read_number(name + name_size);
    return size <= room ? frames_read(name + name_text, text, size) : 0;
}

/// - sub: the sub that contains `cop`; 0 for the file's own code.
static bool add(struct frames_text *text, uint64_t cop, uint64_t sub) {
    char file[1000], name[200];
    size_t size = frames_read_text(frames_read_word(cop + cop_file), file, sizeof file);
    if (size == 0) return true;
    size_t name_length = sub != 0 ? read_name(sub, name, sizeof name) : 0;
    return frames_add(text, file, size, (long)frames_read_number(cop + cop_line), name, name_length);
}

void frames_of_perl(struct frames_text *text) {
    uint64_t interpreter = (uintptr_t)interpreter_now();
    // A thread that Perl did not start has none.
    if (interpreter == 0) return;
    uint64_t cop = frames_read_word(interpreter + current_cop);
    // The running operator must be a statement: otherwise the numbers do not fit this interpreter.
    uint64_t function = frames_read_word(cop + operator_function);
    if (function != (uintptr_t)next_state && function != (uintptr_t)debugged_state) return;
    int told = 0, seen = 0;
    uint64_t stack = frames_read_word(interpreter + current_stack);
    for (int stacks = 0; stack != 0 && stacks < stacks_limit; stacks++) {
        uint64_t first = frames_read_word(stack + contexts);
        for (int32_t i = (int32_t)frames_read_number(stack + context_index); first != 0 && i >= 0; i--) {
            uint64_t context = first + (uint64_t)i * context_size;
            uint8_t type = (uint8_t)frames_read_number(context + context_type);
            int kind = type & kind_mask;
            if (++seen > contexts_limit) return;
            if (kind != kind_sub && kind != kind_format && (kind != kind_eval || (type & is_block) != 0)) continue;
            if (++told > depth || !add(text, cop, kind == kind_sub ? frames_read_word(context + context_sub) : 0)) return;
            cop = frames_read_word(context + old_cop);
        }
        stack = frames_read_word(stack + previous_stack);
    }
    add(text, cop, 0);
}
