// SPDX-License-Identifier: Apache-2.0
internal import Glibc

// What only Unix sockets with a name answer.
extension Errno {
    package static let ENOTSOCK = Errno(Glibc.ENOTSOCK)
    /// There is a socket, of another kind.
    package static let EPROTOTYPE = Errno(Glibc.EPROTOTYPE)
}
