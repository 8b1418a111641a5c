// SPDX-License-Identifier: Apache-2.0
package import Wire

/// An output packet, in the terms that tests use, verified on the way: version, lengths, the IPv4 header's checksum, and for a whole packet
/// the transport's checksum.
package struct Seen {
    package let octets: [UInt8]
    /// The work left to the sender.
    package var offload = Offload.none
    private let verdict: PacketVerdict

    package init(_ octets: [UInt8]) {
        self.octets = octets
        verdict = PacketVerdict(octets)
    }

    private var isIPv4: Bool { verdict.source.count == 4 }

    /// Why the packet is malformed; IPv4 options count, as a translator never makes any.
    package var problem: String? { verdict.problem ?? (isIPv4 && octets[0] & 0xf != 5 ? "options" : nil) }

    /// Whether the transport's checksum is wrong, or missing from UDP.
    package var hasWrongChecksum: Bool {
        if isFragment { return false }
        if transport == UpperLayer.udp && upper16(6) == 0 { return true }
        return !PacketVerdict.isRight(upper, from: verdict.source, to: verdict.destination, transport)
    }

    // MARK: - IP

    package var source: String { text(verdict.source) }
    package var destination: String { text(verdict.destination) }
    package var transport: UInt8 { verdict.protocolNumber }
    package var hopLimit: UInt8 { verdict.hopLimit }
    package var dontFragment: Bool { isIPv4 && octets[6] & 0x40 != 0 }
    package var isFragment: Bool { verdict.fragmentHeader != nil }
    package var fragmentOffset: Int { verdict.fragmentHeader?.offset ?? 0 }
    package var moreFragments: Bool { verdict.fragmentHeader?.moreFollow ?? false }
    package var identification: UInt32 {
        verdict.fragmentHeader?.identification ?? (isIPv4 ? UInt32(octets[4]) << 8 | UInt32(octets[5]) : 0)
    }
    /// Everything above IP.
    package var upper: [UInt8] { verdict.payload }

    private func text(_ address: [UInt8]) -> String {
        isIPv4
            ? address.map(String.init).joined(separator: ".")
            : IPv6Address(bits: address.reduce(0) { $0 << 8 | UInt128($1) }).description
    }

    // MARK: - Above IP

    private func upper16(_ offset: Int) -> UInt16 {
        offset + 1 < upper.count ? UInt16(upper[offset]) << 8 | UInt16(upper[offset + 1]) : 0
    }

    package var sourcePort: UInt16 { upper16(0) }
    package var destinationPort: UInt16 { upper16(2) }
    /// The payload of UDP.
    package var payload: [UInt8] { Array(upper.dropFirst(8)) }
    package var flags: TCPFlags { TCPFlags(rawValue: upper.count > 13 ? upper[13] : 0) }
    package var type: UInt8 { upper.first ?? 0 }
    package var code: UInt8 { upper.count > 1 ? upper[1] : 0 }
    package var identifier: UInt16 { upper16(4) }
    /// The packet that an ICMP error quotes.
    package var quoted: [UInt8] { Array(upper.dropFirst(8)) }

    /// "198.51.100.1:53"
    package var from: String { "\(bracketed(source)):\(sourcePort)" }
    package var to: String { "\(bracketed(destination)):\(destinationPort)" }

    private func bracketed(_ address: String) -> String { address.contains(":") ? "[\(address)]" : address }
}
