// SPDX-License-Identifier: Apache-2.0
/// The functions that the shim interposes.
#ifndef CSYNTHESIS_REAL_H
#define CSYNTHESIS_REAL_H

#include <ifaddrs.h>
#include <pthread.h>
#include <netdb.h>
#include <netinet/in.h>
#include <resolv.h>
#include <spawn.h>
#include <sys/ioctl.h>

struct real_functions {
    int (*getaddrinfo)(const char *, const char *, const struct addrinfo *, struct addrinfo **);
    void (*freeaddrinfo)(struct addrinfo *);
    int (*getnameinfo)(const struct sockaddr *, socklen_t, char *, socklen_t, char *, socklen_t, int);
    struct hostent *(*gethostbyname)(const char *);
    struct hostent *(*gethostbyname2)(const char *, int);
    int (*gethostbyname_r)(const char *, struct hostent *, char *, size_t, struct hostent **, int *);
    int (*gethostbyname2_r)(const char *, int, struct hostent *, char *, size_t, struct hostent **, int *);
    in_addr_t (*inet_addr)(const char *);
    int (*inet_aton)(const char *, struct in_addr *);
    char *(*inet_ntoa)(struct in_addr);
    const char *(*inet_ntop)(int, const void *, char *, socklen_t);
};

/// The next library's functions, or ones that fail if no later library has them.
const struct real_functions *real_functions(void);

/// Looked up at the first call: that of inet_pton is this library's own when it reads its configuration.
int (*real_inet_pton(void))(int, const char *, void *);
int (*real_getifaddrs(void))(struct ifaddrs **);
int (*real_res_nsearch(void))(res_state, const char *, int, int, unsigned char *, int);

/// Functions that are called between fork and exec, where nothing can be looked up any more.
struct real_exec {
    int (*execve)(const char *, char *const[], char *const[]);
    int (*execvpe)(const char *, char *const[], char *const[]);
    int (*posix_spawn)(
        pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *, char *const[],
        char *const[]);
    int (*posix_spawnp)(
        pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *, char *const[],
        char *const[]);
};

const struct real_exec *real_exec(void);

/// Functions of sockets: signal handlers call them, and children of a fork.
struct real_socket {
    int (*socket)(int, int, int);
    int (*connect)(int, const struct sockaddr *, socklen_t);
    int (*bind)(int, const struct sockaddr *, socklen_t);
    int (*listen)(int, int);
    ssize_t (*sendto)(int, const void *, size_t, int, const struct sockaddr *, socklen_t);
    ssize_t (*sendmsg)(int, const struct msghdr *, int);
    int (*setsockopt)(int, int, int, const void *, socklen_t);
    __typeof__(ioctl) *ioctl;
};

const struct real_socket *real_socket(void);

/// The function that starts threads.
struct real_thread {
    int (*pthread_create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
};

const struct real_thread *real_thread(void);

/// Functions that open files: allocators call them before anything is loaded, and from within dlsym. NULL until this library is loaded.
struct real_open {
    int (*open)(const char *, int, ...);
    int (*openat)(int, const char *, int, ...);
    int (*open64)(const char *, int, ...);
    /// For _FORTIFY_SOURCE: without a mode, and with a check of the flags.
    int (*open_2)(const char *, int, ...);
    int (*open64_2)(const char *, int, ...);
    int (*openat64)(int, const char *, int, ...);
};

extern struct real_open real_open;

#endif
