// SPDX-License-Identifier: Apache-2.0
// Finds the next definition of each symbol. The functions of the resolver are looked up at the first call of one of them: most programs
// never call any, and each look-up delays the start of a program. Those of the exec family, of sockets and of files are looked up when the
// library is loaded, since dlsym takes a lock (those of exec and sockets earlier, if the constructor of another library calls one; those of
// files are the system call until then). pthread_create is looked up at its first call. Nothing here allocates;
// memory that dlsym itself allocates comes from the program's malloc, which never calls back.
//
// A linked program cannot call a symbol that no later library defines, so its replacement only has to fail in the function's own way.
#define _GNU_SOURCE
#include "real.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static int no_getaddrinfo(const char *n, const char *s, const struct addrinfo *h, struct addrinfo **a) {
    (void)n, (void)s, (void)h, (void)a;
    errno = ENOSYS;
    return EAI_SYSTEM;
}
static void no_freeaddrinfo(struct addrinfo *answer) { (void)answer; }
static int no_getnameinfo(
    const struct sockaddr *address, socklen_t length, char *host, socklen_t host_size, char *service,
    socklen_t service_size, int flags
) {
    (void)address, (void)length, (void)host, (void)host_size, (void)service, (void)service_size, (void)flags;
    errno = ENOSYS;
    return EAI_SYSTEM;
}
static struct hostent *no_gethostbyname(const char *name) {
    (void)name;
    h_errno = NO_RECOVERY;
    return NULL;
}
static struct hostent *no_gethostbyname2(const char *name, int family) {
    (void)family;
    return no_gethostbyname(name);
}
static int no_gethostbyname_r(
    const char *name, struct hostent *host, char *buffer, size_t size, struct hostent **result, int *error
) {
    (void)name, (void)host, (void)buffer, (void)size;
    *result = NULL;
    *error = NO_RECOVERY;
    return ENOSYS;
}
static int no_gethostbyname2_r(
    const char *name, int family, struct hostent *host, char *buffer, size_t size, struct hostent **result, int *error
) {
    (void)family;
    return no_gethostbyname_r(name, host, buffer, size, result, error);
}
static in_addr_t no_inet_addr(const char *text) {
    (void)text;
    return INADDR_NONE;
}
static int no_inet_aton(const char *text, struct in_addr *address) {
    (void)text, (void)address;
    return 0;
}
static char *no_inet_ntoa(struct in_addr address) {
    (void)address;
    static char text[] = "0.0.0.0";
    return text;
}
static const char *no_inet_ntop(int family, const void *address, char *text, socklen_t size) {
    (void)family, (void)address, (void)text, (void)size;
    errno = EAFNOSUPPORT;
    return NULL;
}

static struct real_functions functions = {
    .getaddrinfo = no_getaddrinfo,
    .freeaddrinfo = no_freeaddrinfo,
    .getnameinfo = no_getnameinfo,
    .gethostbyname = no_gethostbyname,
    .gethostbyname2 = no_gethostbyname2,
    .gethostbyname_r = no_gethostbyname_r,
    .gethostbyname2_r = no_gethostbyname2_r,
    .inet_addr = no_inet_addr,
    .inet_aton = no_inet_aton,
    .inet_ntoa = no_inet_ntoa,
    .inet_ntop = no_inet_ntop,
};

/// C has no conversion from an object pointer to a function pointer; POSIX says that their representation is the same.
static void find(const char *name, void *function) {
    void *symbol = dlsym(RTLD_NEXT, name);
    if (symbol != NULL) memcpy(function, &symbol, sizeof symbol);
}

static void find_all(void) {
    int saved = errno;
    find("getaddrinfo", &functions.getaddrinfo);
    find("freeaddrinfo", &functions.freeaddrinfo);
    find("getnameinfo", &functions.getnameinfo);
    find("gethostbyname", &functions.gethostbyname);
    find("gethostbyname2", &functions.gethostbyname2);
    find("gethostbyname_r", &functions.gethostbyname_r);
    find("gethostbyname2_r", &functions.gethostbyname2_r);
    find("inet_addr", &functions.inet_addr);
    find("inet_aton", &functions.inet_aton);
    find("inet_ntoa", &functions.inet_ntoa);
    find("inet_ntop", &functions.inet_ntop);
    errno = saved;
}

const struct real_functions *real_functions(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_all);
    return &functions;
}

static int no_inet_pton(int family, const char *text, void *address) {
    (void)family, (void)text, (void)address;
    errno = EAFNOSUPPORT;
    return -1;
}

static int no_getifaddrs(struct ifaddrs **list) {
    (void)list;
    errno = ENOSYS;
    return -1;
}

static int no_res_nsearch(res_state state, const char *name, int class, int type, unsigned char *answer, int size) {
    (void)state, (void)name, (void)class, (void)type, (void)answer, (void)size;
    errno = ENOSYS;
    return -1;
}

/// Defines `real_NAME`. Two threads find the same function.
#define FOUND_AT_FIRST_CALL(name, ...)                                                              \
    int (*real_##name(void))(__VA_ARGS__) {                                                        \
        static int (*_Atomic function)(__VA_ARGS__);                                               \
        int (*found)(__VA_ARGS__) = atomic_load_explicit(&function, memory_order_relaxed);         \
        if (found == NULL) {                                                                       \
            int saved = errno;                                                                     \
            found = no_##name;                                                                     \
            find(#name, &found);                                                                   \
            atomic_store_explicit(&function, found, memory_order_relaxed);                         \
            errno = saved;                                                                         \
        }                                                                                          \
        return found;                                                                              \
    }

FOUND_AT_FIRST_CALL(inet_pton, int, const char *, void *)
FOUND_AT_FIRST_CALL(getifaddrs, struct ifaddrs **)
FOUND_AT_FIRST_CALL(res_nsearch, res_state, const char *, int, int, unsigned char *, int)

static struct real_exec exec_functions;

static void find_exec(void) {
    find("execve", &exec_functions.execve);
    find("execvpe", &exec_functions.execvpe);
    find("posix_spawn", &exec_functions.posix_spawn);
    find("posix_spawnp", &exec_functions.posix_spawnp);
}

const struct real_exec *real_exec(void) {
    // Not pthread_once, which waits: there is only one thread at load.
    if (exec_functions.posix_spawnp == NULL) find_exec();
    return &exec_functions;
}

static struct real_thread thread_functions;

const struct real_thread *real_thread(void) {
    if (thread_functions.pthread_create == NULL) find("pthread_create", &thread_functions.pthread_create);
    return &thread_functions;
}

static struct real_socket socket_functions;

static void find_socket(void) {
    find("socket", &socket_functions.socket);
    find("connect", &socket_functions.connect);
    find("bind", &socket_functions.bind);
    find("listen", &socket_functions.listen);
    find("sendto", &socket_functions.sendto);
    find("sendmsg", &socket_functions.sendmsg);
    find("ioctl", &socket_functions.ioctl);
    find("setsockopt", &socket_functions.setsockopt);
}

const struct real_socket *real_socket(void) {
    if (socket_functions.setsockopt == NULL) find_socket();
    return &socket_functions;
}

struct real_open real_open;

static void find_open(void) {
    find("open", &real_open.open);
    find("openat", &real_open.openat);
    find("open64", &real_open.open64);
    find("openat64", &real_open.openat64);
    find("__open_2", &real_open.open_2);
    find("__open64_2", &real_open.open64_2);
}

__attribute__((constructor)) static void load(void) {
    real_exec();
    real_socket();
    find_open();
}
