import Glibc

@inline(never) func connectServer() -> Int32 {
    var address = sockaddr()
    address.sa_family = sa_family_t(AF_INET)
    let result = connect(socket(AF_INET, 2, 0), &address, 16)  // the call
    return result + 1
}

exit(connectServer())  // in main
// SPDX-License-Identifier: Apache-2.0
