internal import CNetlink

/// A request that the kernel, or libnl before it, turned down.
public struct NetlinkError: Error, Hashable, Sendable {
    /// What was to be done, as a sentence's verb: "add the route".
    public let operation: String
    /// To what: "default via 2001:2:0:aab1::1 dev eth0".
    public let subject: String
    /// libnl's own number (NLE_…), positive.
    public let code: Int32

    init(_ operation: String, _ subject: String, code: Int32) {
        self.operation = operation
        self.subject = subject
        self.code = abs(code)
    }

    public var isPermissionDenied: Bool { code == NLE_PERM || code == NLE_NOACCESS }
    public var isAlreadyThere: Bool { code == NLE_EXIST }
    public var isMissing: Bool { code == NLE_NODEV || code == NLE_OBJ_NOTFOUND }
}

extension NetlinkError: CustomStringConvertible {
    public var description: String {
        unsafe "cannot \(operation) \(subject): \(String(cString: nl_geterror(code)))"
    }
}
