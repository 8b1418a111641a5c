internal import Glibc

// What only Unix sockets with a name answer.
extension Errno {
    public static let ENOTSOCK = Errno(Glibc.ENOTSOCK)
    /// There is a socket, of another kind.
    public static let EPROTOTYPE = Errno(Glibc.EPROTOTYPE)
}
