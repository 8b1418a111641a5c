// SPDX-License-Identifier: Apache-2.0
internal import Glibc

// Errors that only named Unix sockets return.
extension Errno {
    package static let ENOTSOCK = Errno(Glibc.ENOTSOCK)
    /// The socket is of another kind.
    package static let EPROTOTYPE = Errno(Glibc.EPROTOTYPE)
}
