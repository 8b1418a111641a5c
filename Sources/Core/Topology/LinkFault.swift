// SPDX-License-Identifier: Apache-2.0
/// A fault of the links as written: `ipv6-black-hole=1400`; in a configuration file, `ipv6-black-hole: 1400`.
package struct LinkFault: Hashable, Sendable, CustomStringConvertible {
    package enum Kind: String, CaseIterable, Sendable {
        case ipv6BlackHole = "ipv6-black-hole"
        case ipv4BlackHole = "ipv4-black-hole"
    }

    /// The range of the largest packet that passes, in octets: any size up to the largest IPv6 packet that is no jumbogram (RFC 8200 §3).
    package static let sizes = 0...65_575

    package let kind: Kind
    /// The size of the largest packet that passes, in octets.
    package let value: Int

    init(kind: Kind, value: Int) {
        self.kind = kind
        self.value = value
    }

    /// `nil` for anything else.
    package init?(_ text: String) {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false)
        guard parts.count == 2, let kind = Kind(rawValue: String(parts[0])),
            parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let value = Int(parts[1]),
            Self.sizes.contains(value)
        else { return nil }
        self.init(kind: kind, value: value)
    }

    package var description: String { "\(kind.rawValue)=\(value)" }
}
