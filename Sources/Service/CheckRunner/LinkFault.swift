import NAT64

/// A fault of the links as it is written: `ipv6-black-hole=1400`. The names are those of the NAT64's configuration file.
package struct LinkFault: Hashable, Sendable, CustomStringConvertible {
    package enum Kind: String, CaseIterable, Sendable {
        case ipv6BlackHole = "ipv6-black-hole"
        case ipv4BlackHole = "ipv4-black-hole"
    }

    package let kind: Kind
    /// The largest packets that pass.
    package let octets: Int

    /// `nil` for anything else.
    package init?(_ text: String) {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false)
        guard parts.count == 2, let kind = Kind(rawValue: String(parts[0])),
            parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let octets = Int(parts[1]),
            (0...65_575).contains(octets)
        else { return nil }
        self.kind = kind
        self.octets = octets
    }

    package var description: String { "\(kind.rawValue)=\(octets)" }
}

extension LinkFaults {
    /// Of two of a kind, the later one counts.
    init(_ faults: [LinkFault]) {
        self.init()
        for fault in faults {
            switch fault.kind {
            case .ipv6BlackHole: ipv6BlackHole = fault.octets
            case .ipv4BlackHole: ipv4BlackHole = fault.octets
            }
        }
    }
}
