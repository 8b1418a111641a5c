// SPDX-License-Identifier: Apache-2.0
internal import Glibc

extension Errno {
    /// The peer of a connection had gone before it was accepted.
    package static let ECONNABORTED = Errno(Glibc.ECONNABORTED)
}
