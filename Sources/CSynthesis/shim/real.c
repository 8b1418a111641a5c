// Finding the next definition of each symbol. It happens when the library is loaded, before the program has a thread,
// or at the first call of another library's constructor that comes before ours. Nothing here allocates; what dlsym
// itself allocates goes to the program's malloc, which never calls back.
//
// A symbol that nothing behind us defines cannot be called by a program that was linked, so its stand-in only has to
// fail in the function's own way.
#define _GNU_SOURCE
#include "real.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>

static int no_getaddrinfo(const char *n, const char *s, const struct addrinfo *h, struct addrinfo **a) {
    (void)n, (void)s, (void)h, (void)a;
    errno = ENOSYS;
    return EAI_SYSTEM;
}
static void no_freeaddrinfo(struct addrinfo *answer) { (void)answer; }
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

static struct real_functions functions = {
    .getaddrinfo = no_getaddrinfo,
    .freeaddrinfo = no_freeaddrinfo,
    .gethostbyname = no_gethostbyname,
    .gethostbyname2 = no_gethostbyname2,
    .gethostbyname_r = no_gethostbyname_r,
    .gethostbyname2_r = no_gethostbyname2_r,
    .inet_addr = no_inet_addr,
    .inet_aton = no_inet_aton,
    .inet_ntoa = no_inet_ntoa,
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
    find("gethostbyname", &functions.gethostbyname);
    find("gethostbyname2", &functions.gethostbyname2);
    find("gethostbyname_r", &functions.gethostbyname_r);
    find("gethostbyname2_r", &functions.gethostbyname2_r);
    find("inet_addr", &functions.inet_addr);
    find("inet_aton", &functions.inet_aton);
    find("inet_ntoa", &functions.inet_ntoa);
    errno = saved;
}

const struct real_functions *real_functions(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_all);
    return &functions;
}

__attribute__((constructor)) static void load(void) { real_functions(); }
