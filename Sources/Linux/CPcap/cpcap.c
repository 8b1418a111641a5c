// SPDX-License-Identifier: Apache-2.0
#include "CPcap.h"

#include <dlfcn.h>
#include <stddef.h>
#include <sys/time.h>

// The names in Debian and elsewhere. The functions and types used below have not changed in either since 1.5 (2013).
static const char *const libraries[] = {"libpcap.so.0.8", "libpcap.so.1"};

// The parts of pcap.h in use: the header need not be installed.
enum { precision_nanoseconds = 1, end_of_file = -2 };
struct pcap_pkthdr {
    struct timeval ts;
    uint32_t caplen;
    uint32_t len;
};

static struct {
    struct cpcap *(*pcap_fopen_offline_with_tstamp_precision)(FILE *, unsigned, char *);
    int (*pcap_datalink)(struct cpcap *);
    int (*pcap_next_ex)(struct cpcap *, struct pcap_pkthdr **, const unsigned char **);
    char *(*pcap_geterr)(struct cpcap *);
    void (*pcap_close)(struct cpcap *);
} functions;

const char *cpcap_load(void) {
    void *handle = NULL;
    for (size_t place = 0; !handle && place < sizeof libraries / sizeof *libraries; place++)
        handle = dlopen(libraries[place], RTLD_NOW | RTLD_LOCAL);
    if (!handle) return dlerror();
#define FIND(name) \
    if (!(*(void **)&functions.name = dlsym(handle, #name))) return "it has no " #name
    FIND(pcap_fopen_offline_with_tstamp_precision);
    FIND(pcap_datalink);
    FIND(pcap_next_ex);
    FIND(pcap_geterr);
    FIND(pcap_close);
#undef FIND
    return NULL;
}

struct cpcap *cpcap_open(FILE *file, char message[cpcap_message_size]) {
    return functions.pcap_fopen_offline_with_tstamp_precision(file, precision_nanoseconds, message);
}

void cpcap_close(struct cpcap *capture) { functions.pcap_close(capture); }

int cpcap_link_type(struct cpcap *capture) { return functions.pcap_datalink(capture); }

enum cpcap_outcome cpcap_next(struct cpcap *capture, struct cpcap_record *record) {
    struct pcap_pkthdr *header = NULL;
    const unsigned char *octets = NULL;
    const int result = functions.pcap_next_ex(capture, &header, &octets);
    if (result == end_of_file) return cpcap_end;
    if (result != 1 || !header || !octets) return cpcap_error;
    *record = (struct cpcap_record){
        .seconds = header->ts.tv_sec,
        // With that precision, the field contains nanoseconds.
        .nanoseconds = header->ts.tv_usec,
        .original_length = header->len,
        .length = header->caplen,
        .octets = octets,
    };
    return cpcap_packet;
}

const char *cpcap_reason(struct cpcap *capture) { return functions.pcap_geterr(capture); }
