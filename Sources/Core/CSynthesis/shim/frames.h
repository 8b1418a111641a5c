// SPDX-License-Identifier: Apache-2.0
/// Reports to the runner's tracer the stack of an interpreted program at a call: native stacks contain only the interpreter's own
/// functions.
///
/// For a system call, the frames are the path of a file that does not exist, which is opened before the call: the tracer reads paths, and
/// without a tracer the kernel returns ENOENT. The form is
///
///     /dev/ipv6check/frames/1⏎
///     for=⏎                         of the next call of this thread, or `for=last`: of the one that it has made
///     FILE⇥LINE⇥FUNCTION⏎           the innermost first
///
/// For a look-up, the frames are in its record (record.h).
#ifndef CSYNTHESIS_FRAMES_H
#define CSYNTHESIS_FRAMES_H

#include "../include/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Whether a tracer wants frames (IPV6CHECK_FRAMES) and the process has an interpreter that can provide them. Determined at load: a look-up
/// takes a lock, and calls happen between fork and exec, too.
bool frames_wanted(void);

/// A hash that identifies a call, for the limit of reports: of the process id, the call's name and its arguments for the kernel. Not to be
/// called if no frames are wanted. Never 0, which means no call, for which nothing is reported.
uint64_t frames_call(const char *name, const void *octets, size_t size);

/// To be called before the call: reports the frames of this thread if the process has made few such calls yet. Repeated calls from one
/// place are one entry of the report. errno is preserved. Returns whether it reported them.
bool frames_before(uint64_t call);

/// To be called after it, with errno (0 if it succeeded): reports the frames if they were not reported, and no such call has ended like
/// this yet.
void frames_after(uint64_t call, bool is_told, int error);

/// The text under construction.
struct frames_text {
    size_t size;
    /// Shorter than the longest path (PATH_MAX).
    char text[SYNTHESIS_RECORD_FRAMES_MAX + 1];
};

/// Writes the frames and a NUL if the process has made few such calls yet; false if it has made more, or if there are no frames. For calls
/// that have a record (record.h), to be called within a scope.
/// - asks_for_host: whether the call looks a host up. The frames of the thread that started this one are written until its second such call: a
///   thread of a pool then works for another caller.
bool frames_write(uint64_t call, bool asks_for_host, struct frames_text *text);

/// Whether the frames of a thread continue with those of the thread that started it.
bool frames_follow_threads(void);

/// Writes the frames of this thread; none if it runs no code of the interpreter.
void frames_of_this_thread(struct frames_text *text);

/// To be called by a thread at its start, with the frames of the thread that started it, which must exist as long as this thread. They
/// follow its own until its second look-up: by then a thread of a pool works for others.
void frames_begin_thread(const struct frames_text *starter);

/// Appends a frame; false if there is no room for it. Line feeds and tabs in names become spaces.
bool frames_add(struct frames_text *text, const char *file, size_t file_size, long line, const char *function, size_t function_size);

/// For each interpreter: `frames_find_…` returns whether it is in this process, `frames_of_…` writes the frames of this thread; none if the
/// thread runs no code of it.
bool frames_find_python(void);
void frames_of_python(struct frames_text *text);
bool frames_find_ruby(void);
void frames_of_ruby(struct frames_text *text);
bool frames_find_php(void);
void frames_of_php(struct frames_text *text);
bool frames_find_perl(void);
void frames_of_perl(struct frames_text *text);
bool frames_find_java(void);
void frames_of_java(struct frames_text *text);

#endif
