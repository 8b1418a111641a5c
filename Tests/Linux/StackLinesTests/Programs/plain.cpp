#include <arpa/inet.h>
#include <sys/socket.h>

namespace net {
struct Client {
    __attribute__((noinline)) int open(const char *host) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(9);
        inet_pton(AF_INET, host, &address.sin_addr);
        int result = connect(socket(AF_INET, SOCK_DGRAM, 0), (sockaddr *)&address, sizeof address);  // the call
        return result + 1;
    }
};
}

int main() { return net::Client().open("127.0.0.1") + 1; }  // in main
// SPDX-License-Identifier: Apache-2.0
