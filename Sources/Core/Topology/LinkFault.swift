/// A fault of the links as it is written: `ipv6-black-hole=1400`; in a configuration file, `ipv6-black-hole: 1400`.
package struct LinkFault: Hashable, Sendable, CustomStringConvertible {
    package enum Kind: String, CaseIterable, Sendable {
        case ipv6BlackHole = "ipv6-black-hole"
        case ipv4BlackHole = "ipv4-black-hole"
        case delay

        /// What is another name of one.
        package var isCondition: Bool { self == .delay }

        /// What can be said of it.
        var values: ClosedRange<Int> { isCondition ? LinkFault.delays : LinkFault.sizes }
    }

    /// What the largest packets that pass can have: anything, up to the largest IPv6 packet that is no jumbogram (RFC 8200 §3).
    package static let sizes = 0...65_575

    /// Milliseconds.
    package static let delays = 0...60_000

    package let kind: Kind
    /// Of a black hole, the octets of the largest packets that pass; of a delay, its milliseconds.
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
            kind.values.contains(value)
        else { return nil }
        self.init(kind: kind, value: value)
    }

    /// The condition that this is another name of, `nil` for none.
    package var condition: String? { kind.isCondition ? "down-delay=\(value)ms" : nil }

    package var description: String { "\(kind.rawValue)=\(value)" }
}
