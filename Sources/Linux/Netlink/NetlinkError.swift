// SPDX-License-Identifier: Apache-2.0
internal import CNetlink
internal import Glibc
package import LinuxNet

/// A request that the kernel, or libnl before it, refused.
package struct NetlinkError: Error, Hashable, Sendable {
    /// The operation that failed: "add the route".
    package let operation: String
    /// The object of the operation: "default via 2e00:2:0:1::1 dev #2".
    package let subject: String
    /// libnl's own number (NLE_…), positive.
    package let code: Int32
    /// The kernel's errno, if the kernel refused.
    package let errno: Errno?

    init(_ operation: String, _ subject: String, code: Int32, errno: Errno? = nil) {
        self.operation = operation
        self.subject = subject
        self.code = abs(code)
        self.errno = errno
    }

    package var isForWhatIsThere: Bool { code == NLE_EXIST }
    package var isMissing: Bool { code == NLE_NODEV || code == NLE_OBJ_NOTFOUND }
}

extension NetlinkError: CustomStringConvertible {
    package var description: String {
        let reason = unsafe errno?.description ?? String(cString: nl_geterror(code))
        return "cannot \(operation) \(subject): \(reason)"
    }
}
