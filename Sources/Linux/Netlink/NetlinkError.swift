internal import CNetlink
internal import Glibc
public import LinuxNet

/// A request that the kernel, or libnl before it, turned down.
public struct NetlinkError: Error, Hashable, Sendable {
    /// What was to be done: "add the route".
    public let operation: String
    /// To what: "default via 2001:2:0:aab1::1 dev #2".
    public let subject: String
    /// libnl's own number (NLE_…), positive.
    public let code: Int32
    /// The kernel's, where it was the kernel.
    public let errno: Errno?

    init(_ operation: String, _ subject: String, code: Int32, errno: Errno? = nil) {
        self.operation = operation
        self.subject = subject
        self.code = abs(code)
        self.errno = errno
    }

    public var isAlreadyThere: Bool { code == NLE_EXIST }
    public var isMissing: Bool { code == NLE_NODEV || code == NLE_OBJ_NOTFOUND }
}

extension NetlinkError: CustomStringConvertible {
    public var description: String {
        let reason = unsafe errno?.description ?? String(cString: nl_geterror(code))
        return "cannot \(operation) \(subject): \(reason)"
    }
}
