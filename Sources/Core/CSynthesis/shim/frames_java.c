// SPDX-License-Identifier: Apache-2.0
// Java: the stack from the tool interface (JVMTI 1.2), which a thread may call in any native function that Java has called.
//
// The tables of functions and the few structures are declared here by their numbers in the specification, as neither the client's machine
// nor the build machine needs a JDK.
#define _GNU_SOURCE
#include "frames.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/// An interface: a pointer to its table.
typedef void *const **interface;

enum { jni_1_8 = 0x00010008, jvmti_1_2 = 0x30010200 };
/// Limits: frames that are examined; the innermost frames that are reported even if they are of libraries, of which there may be many above
/// the user's; lines of a method; threads that are examined.
enum { depth = 192, library_depth = 16, lines_limit = 1 << 16, threads_limit = 256 };

/// Positions in the tables; those of JVMTI count from 1 in the specification.
enum { get_env = 6, delete_local_reference = 23 };
enum {
    get_all_threads = 3,
    get_thread_state = 16,
    deallocate = 46,
    get_class_signature = 47,
    get_source_file_name = 49,
    get_method_name = 63,
    get_method_class = 64,
    get_line_number_table = 69,
    get_stack_trace = 103,
    add_capabilities = 141,
};

/// JVMTI_THREAD_STATE_WAITING
enum { is_waiting = 0x80 };

/// jvmtiFrameInfo, jvmtiLineNumberEntry.
struct frame {
    void *method;
    int64_t location;
};
struct line {
    int64_t start;
    int32_t number;
};

/// can_get_source_file_name and can_get_line_numbers: bits of jvmtiCapabilities.
static const uint32_t capabilities[4] = {1 << 11 | 1 << 12, 0, 0, 0};

static _Atomic(interface) tools;

bool frames_find_java(void) {
    // The launcher's own library; the virtual machine is loaded later.
    return dlsym(RTLD_DEFAULT, "JLI_Launch") != NULL;
}

static int32_t environment(interface machine, interface *found, int32_t version) {
    return ((int32_t (*)(interface, interface *, int32_t))(*machine)[get_env])(machine, found, version);
}

/// The virtual machine's tool interface, made once.
static interface tool_interface(interface machine) {
    interface known = atomic_load(&tools);
    if (known != NULL) return known;
    interface made = NULL;
    if (environment(machine, &made, jvmti_1_2) != 0 || made == NULL) return NULL;
    if (((int32_t (*)(interface, const uint32_t *))(*made)[add_capabilities])(made, capabilities) != 0) return NULL;
    interface none = NULL;
    // Another thread's interface is as good; a superfluous one exists until the virtual machine ends.
    return atomic_compare_exchange_strong(&tools, &none, made) ? made : none;
}

static void free_text(interface tool, void *text) {
    if (text != NULL) ((int32_t (*)(interface, void *))(*tool)[deallocate])(tool, text);
}

static long line_of(interface tool, const struct frame *frame) {
    int32_t count = 0;
    struct line *lines = NULL;
    long line = 0;
    if (((int32_t (*)(interface, void *, int32_t *, struct line **))(*tool)[get_line_number_table])(
            tool, frame->method, &count, &lines)
        != 0)
        return 0;
    int64_t best = -1;
    for (int32_t i = 0; i < count && i < lines_limit; i++)
        if (lines[i].start <= frame->location && lines[i].start > best) {
            best = lines[i].start;
            line = lines[i].number;
        }
    free_text(tool, lines);
    return line;
}

/// `Lcom/example/Agent;` and `main` as `com.example.Agent.main`.
static size_t write_function(char *text, size_t room, const char *signature, const char *name) {
    size_t size = 0;
    for (const char *at = signature + (*signature == 'L'); *at != '\0' && *at != ';' && size + 1 < room; at++)
        text[size++] = *at == '/' ? '.' : *at;
    if (size + 1 < room) text[size++] = '.';
    for (; *name != '\0' && size < room; name++) text[size++] = *name;
    return size;
}

/// Whether a method belongs to the class libraries, or to a library that many programs use, by the signature of its class. OwnFrame.swift has
/// the same list.
static bool is_of_library(interface java, interface tool, const struct frame *frame) {
    static const char *const prefixes[] = {
        "Ljava/", "Ljavax/", "Ljdk/", "Lsun/", "Lcom/sun/", "Lkotlin/", "Lkotlinx/", "Lscala/", "Lakka/", "Lcom/amazonaws/",
        "Lcom/google/api/", "Lcom/google/common/", "Lcom/mongodb/", "Lcom/mysql/", "Lcom/rabbitmq/", "Lcom/zaxxer/", "Lfeign/",
        "Lio/grpc/", "Lio/ktor/", "Lio/lettuce/", "Lio/netty/", "Lio/undertow/", "Lio/vertx/", "Lokhttp3/", "Lokio/", "Lorg/apache/",
        "Lorg/asynchttpclient/", "Lorg/eclipse/jetty/", "Lorg/jboss/", "Lorg/mariadb/", "Lorg/postgresql/", "Lorg/springframework/",
        "Lreactor/", "Lredis/clients/", "Lretrofit2/", "Lsoftware/amazon/",
    };
    void *owner = NULL;
    char *signature = NULL;
    bool found = true;
    if (((int32_t (*)(interface, void *, void **))(*tool)[get_method_class])(tool, frame->method, &owner) != 0 || owner == NULL)
        return true;
    if (((int32_t (*)(interface, void *, char **, char **))(*tool)[get_class_signature])(tool, owner, &signature, NULL) == 0) {
        found = false;
        for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
            found = found || strncmp(signature, prefixes[i], strlen(prefixes[i])) == 0;
    }
    free_text(tool, signature);
    ((void (*)(interface, void *))(*java)[delete_local_reference])(java, owner);
    return found;
}

static int32_t users_frame(interface java, interface tool, const struct frame *frames, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        if (frames[i].location >= 0 && !is_of_library(java, tool, &frames[i])) return i;
    return -1;
}

/// - thread: NULL for this thread.
static int32_t take_stack(interface tool, void *thread, struct frame *frames, int32_t room) {
    int32_t count = 0;
    if (((int32_t (*)(interface, void *, int32_t, int32_t, struct frame *, int32_t *))(*tool)[get_stack_trace])(
            tool, thread, 0, room, frames, &count)
        != 0)
        return 0;
    return count < room ? count : room;
}

static bool add(struct frames_text *text, interface java, interface tool, const struct frame *frame) {
    void *owner = NULL;
    char *signature = NULL, *file = NULL, *name = NULL;
    bool fits = true;
    // A native method has no line.
    if (frame->location < 0) return true;
    if (((int32_t (*)(interface, void *, void **))(*tool)[get_method_class])(tool, frame->method, &owner) != 0 || owner == NULL)
        return true;
    if (((int32_t (*)(interface, void *, char **, char **))(*tool)[get_class_signature])(tool, owner, &signature, NULL) == 0
        && ((int32_t (*)(interface, void *, char **, char **, char **))(*tool)[get_method_name])(
               tool, frame->method, &name, NULL, NULL)
            == 0
        && ((int32_t (*)(interface, void *, char **))(*tool)[get_source_file_name])(tool, owner, &file) == 0) {
        char function[256];
        size_t size = write_function(function, sizeof function, signature, name);
        fits = frames_add(text, file, strlen(file), line_of(tool, frame), function, size);
    }
    free_text(tool, signature);
    free_text(tool, name);
    free_text(tool, file);
    ((void (*)(interface, void *))(*java)[delete_local_reference])(java, owner);
    return fits;
}

/// A library that connects on threads of its own (java.net.http) has its caller wait. If exactly one thread waits in the user's code, it is
/// the caller: its frames follow, from that code on.
static void add_waiting(struct frames_text *text, interface java, interface tool) {
    int32_t count = 0;
    void **threads = NULL;
    if (((int32_t (*)(interface, int32_t *, void ***))(*tool)[get_all_threads])(tool, &count, &threads) != 0) return;
    struct frame frames[depth], found[depth];
    int32_t callers = 0, first = 0, last = 0;
    for (int32_t i = 0; i < count; i++) {
        int32_t state = 0;
        if (i < threads_limit
            && ((int32_t (*)(interface, void *, int32_t *))(*tool)[get_thread_state])(tool, threads[i], &state) == 0
            && (state & is_waiting) != 0) {
            int32_t frame_count = take_stack(tool, threads[i], frames, depth);
            int32_t users = users_frame(java, tool, frames, frame_count);
            if (users >= 0 && callers++ == 0) {
                memcpy(found, frames, sizeof found);
                first = users;
                last = frame_count;
            }
        }
        ((void (*)(interface, void *))(*java)[delete_local_reference])(java, threads[i]);
    }
    free_text(tool, threads);
    if (callers != 1 || count > threads_limit) return;
    for (int32_t i = first; i < last; i++)
        if (!add(text, java, tool, &found[i])) return;
}

void frames_of_java(struct frames_text *text) {
    // The launcher makes no interposed call between fork and exec, so a look-up may take its lock.
    int32_t (*machines)(interface *, int32_t, int32_t *);
    *(void **)&machines = dlsym(RTLD_DEFAULT, "JNI_GetCreatedJavaVMs");
    interface machine = NULL, java = NULL;
    int32_t count = 0;
    if (machines == NULL || machines(&machine, 1, &count) != 0 || count < 1) return;
    // An internal thread of the virtual machine has no environment.
    if (environment(machine, &java, jni_1_8) != 0 || java == NULL) return;
    interface tool = tool_interface(machine);
    if (tool == NULL) return;
    struct frame frames[depth];
    count = take_stack(tool, NULL, frames, depth);
    const int32_t users = users_frame(java, tool, frames, count);
    for (int32_t i = 0; i < count; i++)
        if ((i < library_depth || (users >= 0 && i >= users)) && !add(text, java, tool, &frames[i])) return;
    if (count > 0 && users < 0) add_waiting(text, java, tool);
}
