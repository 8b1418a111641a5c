// SPDX-License-Identifier: Apache-2.0
/// A failed system call: its name, the error, and the object of the call.
package struct SystemError: Error, Hashable, Sendable {
    /// The call's name, with the operation if the name alone is ambiguous: `ioctl(TUNSETIFF)`.
    package let call: String
    package let errno: Errno
    /// The file, interface or address that the call was about.
    package let what: String?

    package init(_ call: String, _ errno: Errno, what: String? = nil) {
        self.call = call
        self.errno = errno
        self.what = what
    }

    /// The error of the call that has just failed in this thread.
    static func last(_ call: String, what: String? = nil) -> SystemError {
        SystemError(call, .last, what: what)
    }
}

extension SystemError: CustomStringConvertible {
    package var description: String {
        if let what { "\(what): \(call): \(errno)" } else { "\(call): \(errno)" }
    }
}
