// A TCP server for the sample clients: greets every client, on a port of every address, IPv4 and IPv6.
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv) {
    static const char greeting[] = "welcome\n";
    struct sockaddr_in6 name = {.sin6_family = AF_INET6};
    int off = 0, listener = socket(AF_INET6, SOCK_STREAM, 0);
    if (argc != 2) return 2;
    name.sin6_port = htons((unsigned short)atoi(argv[1]));
    setsockopt(listener, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    if (bind(listener, (struct sockaddr *)&name, sizeof name) != 0 || listen(listener, 16) != 0) return perror("bind"), 1;
    puts("ready");
    fflush(stdout);
    for (;;) {
        char ignored[64];
        int peer = accept(listener, NULL, NULL);
        if (peer < 0 || read(peer, ignored, sizeof ignored) < 0) return 1;
        if (write(peer, greeting, sizeof greeting - 1) < 0) return 1;
        close(peer);
    }
}
// SPDX-License-Identifier: Apache-2.0
