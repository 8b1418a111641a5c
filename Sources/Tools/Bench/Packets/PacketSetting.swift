// SPDX-License-Identifier: Apache-2.0
import NAT64
import Translation
import Wire

extension Pref64 {
    static let ofBench = try! Pref64("2001:db8:64::/96")
}

extension NAT64 {
    /// A NAT64 whose pool has room for a million mappings of each transport.
    static func ofBench() -> NAT64 {
        let configuration = NAT64Configuration(
            prefixes: [.ofBench], pool: (0..<64).map { IPv4Address(203, 0, 113, $0) },
            errors: ErrorPolicy(
                ipv6Source: IPv6Address(0x2001, 0xdb8, 0xffff, 0, 0, 0, 0, 1), ipv4Source: IPv4Address(192, 0, 2, 1)))
        return try! NAT64(configuration, seed: 0x6464, now: .zero)
    }
}

/// A receiver of the NAT64's packets that remembers drops, of which there should be none.
protocol DropWitness: PacketOutput {
    /// The reason for the last drop.
    var lastDrop: DropReason? { get }
}

extension DropWitness {
    /// Throws if a packet was dropped: then the measurement is not the intended one.
    func check() throws(BenchFailure) {
        if let lastDrop { throw BenchFailure("packets were dropped: \(lastDrop.name)") }
    }
}

/// Discards the NAT64's packets.
final class Sink: DropWitness {
    private(set) var lastDrop: DropReason?
    /// The source of the last packet to the IPv4 side.
    private(set) var lastSource = TransportAddress4(IPv4Address(bits: 0), 0)

    func emit(_ packet: inout PacketBuffer, to side: Side, _ outline: IPv6Outline?) {
        guard side == .ipv4 else { return }
        let bytes = packet.bytes
        let isICMP = bytes[IPv4Header.protocolNumber] == IPProtocol.icmp.rawValue
        let port = IPv4Header.length + (isICMP ? ICMPHeader.identifier : UDPHeader.sourcePort)
        lastSource = TransportAddress4(bytes.ipv4Address(at: IPv4Header.source), bytes.uint16(at: port))
    }

    func dropped(_ packet: borrowing PacketBuffer, from side: Side, because reason: DropReason) {
        lastDrop = reason
    }
}
