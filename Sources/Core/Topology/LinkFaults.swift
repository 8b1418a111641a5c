// SPDX-License-Identifier: Apache-2.0
public import Wire

/// Deliberate faults of the links.
public struct LinkFaults: Hashable, Sendable {
    /// A path-MTU black hole: larger IPv6 packets (in octets) are dropped silently, in both directions. `nil` for none.
    public var ipv6BlackHole: Int?
    /// The same for IPv4 packets.
    public var ipv4BlackHole: Int?

    public init() {}

    /// Whether a packet is lost on its way.
    @inline(always)
    public func swallow(_ packet: borrowing PacketBuffer, isIPv6: Bool) -> Bool {
        guard let maximum = isIPv6 ? ipv6BlackHole : ipv4BlackHole else { return false }
        return packet.largestPiece > maximum
    }
}

extension LinkFaults {
    /// If there are two of a kind, the later one counts.
    package init(_ faults: [LinkFault]) {
        self.init()
        for fault in faults { self[fault.kind] = fault.value }
    }

    /// The value of the fault of this kind, `nil` if there is none.
    package subscript(kind: LinkFault.Kind) -> Int? {
        get {
            switch kind {
            case .ipv6BlackHole: ipv6BlackHole
            case .ipv4BlackHole: ipv4BlackHole
            }
        }
        set {
            switch kind {
            case .ipv6BlackHole: ipv6BlackHole = newValue
            case .ipv4BlackHole: ipv4BlackHole = newValue
            }
        }
    }

    /// The faults that are set.
    package var all: [LinkFault] {
        LinkFault.Kind.allCases.compactMap { kind in self[kind].map { LinkFault(kind: kind, value: $0) } }
    }
}
