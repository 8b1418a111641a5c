// libpcap: packet files.
#include <pcap/pcap.h>
