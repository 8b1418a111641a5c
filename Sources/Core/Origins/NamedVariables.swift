// SPDX-License-Identifier: Apache-2.0
import Text

/// Variables of the environment that have an address, and which of them the program's text names. One that it does not name is hardly read:
/// ssh, Kubernetes and Docker put addresses into the environment of every program.
struct NamedVariables: Sendable {
    private var unseen: Set<String> = []
    private(set) var seen: Set<String> = []

    mutating func add(_ name: String) {
        if !seen.contains(name) { unseen.insert(name) }
    }

    /// - Parameter octets: of a file, a program or a command line.
    mutating func look(in octets: Span<UInt8>) {
        for name in unseen where Self.isNamed(name.utf8.span, in: octets) {
            unseen.remove(name)
            seen.insert(name)
        }
    }

    /// Whether the name is there as a word.
    private static func isNamed(_ name: Span<UInt8>, in octets: Span<UInt8>) -> Bool {
        if name.isEmpty { return false }
        var next = 0
        while let start = octets.offset(of: name, from: next) {
            let end = start + name.count
            if start == 0 || !isOfName(octets[start - 1]), end == octets.count || !isOfName(octets[end]) { return true }
            next = start + 1
        }
        return false
    }

    private static func isOfName(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
