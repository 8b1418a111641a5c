// SPDX-License-Identifier: Apache-2.0
/// A string of the operating system: any octets but NUL. Arguments, environments and paths need not be UTF-8, and a client gets
/// them unchanged.
package struct OSString: Hashable, Sendable {
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    package init(_ text: some StringProtocol) {
        bytes = Array(text.utf8)
    }
}

extension OSString: ExpressibleByStringLiteral {
    package init(stringLiteral text: String) { self.init(text) }
}

extension OSString: CustomStringConvertible {
    /// For people: octets that are not UTF-8 are shown as U+FFFD.
    package var description: String { String(decoding: bytes, as: UTF8.self) }
}
