// SPDX-License-Identifier: Apache-2.0
// libpcap, loaded on demand: it reads packet files (pcap and pcapng), and is needed neither to build nor to start the program. Files are
// written without it.
#ifndef CPCAP_H
#define CPCAP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

// The supported DLT_ values.
enum {
    CPCAP_NULL = 0,
    CPCAP_ETHERNET = 1,
    CPCAP_RAW = 12,
    CPCAP_LOOP = 108,
    CPCAP_LINUX_SLL = 113,
    CPCAP_IPV4 = 228,
    CPCAP_IPV6 = 229,
    CPCAP_LINUX_SLL2 = 276,
};

enum { cpcap_message_size = 256 };

struct cpcap;

struct cpcap_record {
    int64_t seconds;
    int64_t nanoseconds;
    // The packet's length; `length` octets of it were kept. They are valid until the next call.
    uint32_t original_length;
    uint32_t length;
    const uint8_t *octets;
};

enum cpcap_outcome { cpcap_packet, cpcap_end, cpcap_error };

// Null if libpcap is loaded; otherwise the reason why it is not. To be called before all other functions.
const char *cpcap_load(void);

// Null if this is no packet file; then `message` contains the reason, and the file is still open. Otherwise it is closed with the capture.
struct cpcap *cpcap_open(FILE *file, char message[cpcap_message_size]);
void cpcap_close(struct cpcap *capture);
int cpcap_link_type(struct cpcap *capture);
enum cpcap_outcome cpcap_next(struct cpcap *capture, struct cpcap_record *record);
// The reason for the last error.
const char *cpcap_reason(struct cpcap *capture);

#endif
