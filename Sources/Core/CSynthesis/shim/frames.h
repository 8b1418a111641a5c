/// Telling the runner's tracer where an interpreted program stands when it makes a call: native stacks have the interpreter's own
/// functions only.
///
/// The frames are the path of a file that does not exist, which is opened before the call: the tracer reads paths, and where there
/// is no tracer the kernel says ENOENT. The form is
///
///     /dev/ipv6check/frames/1⏎
///     for=⏎                         of the next call of this thread
///     FILE⇥LINE⇥FUNCTION⏎           the innermost first
#ifndef CSYNTHESIS_FRAMES_H
#define CSYNTHESIS_FRAMES_H

#include <stdbool.h>
#include <stddef.h>

/// Whether a tracer wants frames (IPV6CHECK_FRAMES) and there is an interpreter that can tell them. Known from the start: a look-up
/// takes a lock, and calls come between fork and exec, too.
bool frames_wanted(void);

/// Tells the frames of this thread. errno stays as it is.
void frames_tell(void);

/// The text, as it grows.
struct frames_text {
    size_t size;
    /// Less than a path may have (PATH_MAX).
    char text[3900];
};

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
bool frames_find_java(void);
void frames_of_java(struct frames_text *text);

#endif
