// SPDX-License-Identifier: Apache-2.0
/// A string as the system has it: any octets but NUL. Arguments, environments and paths need not be UTF-8, and a client gets
/// them as they were.
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
    /// For people: what is not UTF-8 shows as U+FFFD.
    package var description: String { String(decoding: bytes, as: UTF8.self) }
}
