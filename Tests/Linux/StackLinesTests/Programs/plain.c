#include <arpa/inet.h>
#include <sys/socket.h>

__attribute__((noinline)) int connect_server(const char *host) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(9)};
    inet_pton(AF_INET, host, &address.sin_addr);
    int result = connect(socket(AF_INET, SOCK_DGRAM, 0), (struct sockaddr *)&address, sizeof address);  // the call
    return result + 1;
}

static inline __attribute__((always_inline)) int ask(const char *host) {
    return connect_server(host) + 1;  // in ask
}

int main(int count, char **arguments) {
    (void)arguments;
    return ask(count > 5 ? "127.0.0.2" : "127.0.0.1") + 1;  // in main
}
// SPDX-License-Identifier: Apache-2.0
