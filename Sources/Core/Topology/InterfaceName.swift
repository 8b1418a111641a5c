// SPDX-License-Identifier: Apache-2.0
import Text

/// The name of a client's interface: eth0 by default; en0 or wlan0 for programs that look for those names.
package struct InterfaceName: Hashable, Sendable, TextCodable {
    package let description: String

    package static let usual = InterfaceName(checked: "eth0")

    private init(checked name: String) { description = name }

    /// Why a text is no valid name, in a sentence for its author.
    package struct Mistake: Error, Hashable, CustomStringConvertible {
        package let description: String

        fileprivate init(_ description: String) { self.description = description }
    }

    /// Accepts the names that the kernel accepts (dev_valid_name) and that have no other meaning in /proc/sys.
    package init(_ name: String) throws(Mistake) {
        let isGood =
            (1...15).contains(name.utf8.count)
            && name.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ":") }
        guard isGood, ![".", "..", "lo", "all", "default"].contains(name), !name.contains("%") else {
            throw Mistake(
                "an interface's name has up to 15 characters without blanks, / and :, such as en0 or wlan0, and is not lo; not "
                    + "\"\(excerpt(name))\"")
        }
        self.init(checked: name)
    }
}
