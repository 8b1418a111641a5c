// SPDX-License-Identifier: Apache-2.0
/// Telling the runner's tracer where an interpreted program stands when it makes a call: native stacks have the interpreter's own
/// functions only.
///
/// Of a call of the kernel, the frames are the path of a file that does not exist, which is opened before the call: the tracer reads paths, and where there
/// is no tracer the kernel says ENOENT. The form is
///
///     /dev/ipv6check/frames/1⏎
///     for=⏎                         of the next call of this thread, or `for=last`: of the one that it has made
///     FILE⇥LINE⇥FUNCTION⏎           the innermost first
///
/// Of a look-up, they stand in its record (record.h).
#ifndef CSYNTHESIS_FRAMES_H
#define CSYNTHESIS_FRAMES_H

#include "../include/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Whether a tracer wants frames (IPV6CHECK_FRAMES) and there is an interpreter that can tell them. Known from the start: a look-up
/// takes a lock, and calls come between fork and exec, too.
bool frames_wanted(void);

/// A call as the tracer tells it from others: its name, and what it says to the kernel. Not to be called where no frames are wanted:
/// 0 is no call, of which nothing is told.
uint64_t frames_call(const char *name, const void *octets, size_t size);

/// To be called before the call: tells the frames of this thread where the process has made few such calls yet. What is made again and
/// again from one place is one entry of the report. errno stays as it is. Returns whether it told them.
bool frames_before(uint64_t call);

/// To be called after it, with errno (0 if it succeeded): tells them where they were not told, and such a call has not ended like this
/// yet.
void frames_after(uint64_t call, bool is_told, int error);

/// The text, as it grows.
struct frames_text {
    size_t size;
    /// Less than a path may have (PATH_MAX).
    char text[SYNTHESIS_RECORD_FRAMES_MAX + 1];
};

/// Writes the frames of this thread alone, and NUL, where the process has made few such calls yet; false where it has, or where there
/// are none. Of calls that a record tells of (record.h), to be called within a scope.
bool frames_write(uint64_t call, struct frames_text *text);

/// Whether the frames of a thread go on with those of the thread that started it.
bool frames_follow_threads(void);

/// Writes the frames of this thread, none where it runs no code of the interpreter.
void frames_of_this_thread(struct frames_text *text);

/// To be called by a thread as its first: the frames of the one that started it, which stay there as long as the thread. They follow its own
/// until its second look-up: a thread of a pool works for others then.
void frames_begin_thread(const struct frames_text *starter);

/// Appends a frame; false once there is no room for it. Line feeds and tabs in names become spaces.
bool frames_add(struct frames_text *text, const char *file, size_t file_size, long line, const char *function, size_t function_size);

/// Each looks its interpreter up: true where it is in this process. And each tells the frames of this thread, none where the
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
