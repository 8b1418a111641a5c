// SPDX-License-Identifier: Apache-2.0
// The environment, read once.
#define _GNU_SOURCE
#include "configuration.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static struct configuration settings = {.profile = SYNTHESIS_APPLE};

static void read_prefixes(const char *text) {
    if (text == NULL) return;
    settings.prefixes_in_resolv_conf = strcmp(text, "resolv.conf") == 0;
    pref64_list_parse(text, &settings.prefixes);
    // A list without any valid prefix is most likely a typo, not a network without NAT64.
    settings.prefixes_known = settings.prefixes.count > 0 || strcmp(text, "none") == 0;
}

static void read_evidence(const char *name) {
    if (name == NULL || *name == '\0') return;
    size_t size = strlen(name);
    if (size >= sizeof settings.evidence.sun_path) return;
    settings.evidence.sun_family = AF_UNIX;
    memcpy(settings.evidence.sun_path, name, size);
    bool abstract = *name == '@';
    // An abstract name starts with NUL and ends with the address's size, a path ends with NUL (unix(7)).
    if (abstract) settings.evidence.sun_path[0] = '\0';
    settings.evidence_size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + size + (abstract ? 0 : 1));
    settings.sends_evidence = true;
}

static void read_environment(void) {
    const char *profile = getenv("IPV6CHECK_GETADDRINFO");
    if (profile != NULL) synthesis_profile_named(profile, &settings.profile);
    const char *url_loading = getenv("IPV6CHECK_URL_LOADING");
    settings.url_loading = url_loading != NULL && strcmp(url_loading, "apple") == 0;
    read_prefixes(getenv("IPV6CHECK_PREF64"));
    read_evidence(getenv("IPV6CHECK_EVIDENCE"));
}

const struct configuration *configuration(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_environment);
    return &settings;
}

bool url_loading_is_wanted(void) { return settings.url_loading; }

bool evidence_is_configured(void) { return settings.sends_evidence; }

__attribute__((constructor)) static void load(void) { configuration(); }
