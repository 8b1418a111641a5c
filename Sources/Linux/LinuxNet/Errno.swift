// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The error number of a failed system call.
package struct Errno: Error, Hashable, Sendable {
    package let number: Int32

    @inline(always)
    package init(_ number: Int32) {
        self.number = number
    }

    /// The error of this thread's last failed call.
    @inline(always)
    static var last: Errno { Errno(errno) }

    package static let EPERM = Errno(Glibc.EPERM)
    package static let ENOENT = Errno(Glibc.ENOENT)
    package static let EINTR = Errno(Glibc.EINTR)
    package static let EBADF = Errno(Glibc.EBADF)
    /// Returned by a TUN whose interface was deleted.
    package static let EBADFD = Errno(Glibc.EBADFD)
    package static let EAGAIN = Errno(Glibc.EAGAIN)
    package static let EACCES = Errno(Glibc.EACCES)
    package static let EBUSY = Errno(Glibc.EBUSY)
    package static let EISDIR = Errno(Glibc.EISDIR)
    package static let EFBIG = Errno(Glibc.EFBIG)
    package static let EINVAL = Errno(Glibc.EINVAL)
    package static let ENOEXEC = Errno(Glibc.ENOEXEC)
    package static let ENAMETOOLONG = Errno(Glibc.ENAMETOOLONG)
    package static let EMFILE = Errno(Glibc.EMFILE)
    package static let ENFILE = Errno(Glibc.ENFILE)
    package static let ENOMEM = Errno(Glibc.ENOMEM)
    package static let EMSGSIZE = Errno(Glibc.EMSGSIZE)
    package static let EADDRINUSE = Errno(Glibc.EADDRINUSE)
    package static let ECONNREFUSED = Errno(Glibc.ECONNREFUSED)
    package static let ETIMEDOUT = Errno(Glibc.ETIMEDOUT)
    package static let ECONNRESET = Errno(Glibc.ECONNRESET)
    package static let EPIPE = Errno(Glibc.EPIPE)
    /// Returned by a packet socket whose interface was deleted.
    package static let ENETDOWN = Errno(Glibc.ENETDOWN)
    package static let ENXIO = Errno(Glibc.ENXIO)
    package static let ENOBUFS = Errno(Glibc.ENOBUFS)
    package static let EINPROGRESS = Errno(Glibc.EINPROGRESS)
    package static let EBADMSG = Errno(Glibc.EBADMSG)
}

extension Errno: CustomStringConvertible {
    /// The C library's message, such as "Permission denied".
    package var description: String { unsafe String(cString: strerror(number)) }
}
