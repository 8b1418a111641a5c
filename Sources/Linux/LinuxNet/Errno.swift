internal import Glibc

/// The number with which a system call says why it failed.
public struct Errno: Error, Hashable, Sendable {
    public let number: Int32

    @inline(always)
    public init(_ number: Int32) {
        self.number = number
    }

    /// What the last failed call of this thread left behind.
    @inline(always)
    static var last: Errno { Errno(errno) }

    public static let EPERM = Errno(Glibc.EPERM)
    public static let ENOENT = Errno(Glibc.ENOENT)
    public static let EINTR = Errno(Glibc.EINTR)
    public static let EBADF = Errno(Glibc.EBADF)
    /// Of a TUN whose interface was deleted.
    public static let EBADFD = Errno(Glibc.EBADFD)
    public static let EAGAIN = Errno(Glibc.EAGAIN)
    public static let EACCES = Errno(Glibc.EACCES)
    public static let EBUSY = Errno(Glibc.EBUSY)
    public static let EISDIR = Errno(Glibc.EISDIR)
    public static let EFBIG = Errno(Glibc.EFBIG)
    public static let EINVAL = Errno(Glibc.EINVAL)
    public static let ENOEXEC = Errno(Glibc.ENOEXEC)
    public static let ENAMETOOLONG = Errno(Glibc.ENAMETOOLONG)
    public static let EMSGSIZE = Errno(Glibc.EMSGSIZE)
    public static let EADDRINUSE = Errno(Glibc.EADDRINUSE)
    public static let ECONNREFUSED = Errno(Glibc.ECONNREFUSED)
    public static let ECONNRESET = Errno(Glibc.ECONNRESET)
    public static let EPIPE = Errno(Glibc.EPIPE)
    public static let EINPROGRESS = Errno(Glibc.EINPROGRESS)
    public static let EBADMSG = Errno(Glibc.EBADMSG)
}

extension Errno: CustomStringConvertible {
    /// The C library's words: "Permission denied".
    public var description: String { unsafe String(cString: strerror(number)) }
}
