// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import NAT64
import Translation
import Wire

/// Recognises packets that the translator itself has made, in a capture of both of its sides.
///
/// A packet from inside a Pref64 to a destination outside has been translated, as has one from a pool address to a destination
/// outside; ICMP errors and answers to pings from the translator's own addresses are its own. Without state nothing distinguishes
/// the two directions, so every packet is taken for one that arrives.
struct OwnPackets {
    private let prefixes: [Pref64]
    private let pool: Set<IPv4Address>
    private let errors: ErrorPolicy

    /// `nil` if they cannot be recognised.
    init?(_ configuration: TranslatorConfiguration) {
        guard configuration.mode == .stateful else { return nil }
        prefixes = configuration.nat64.prefixes
        pool = Set(configuration.nat64.pool)
        errors = configuration.nat64.errors
    }

    func contains(_ packet: borrowing PacketBuffer) -> Bool {
        switch packet.family {
        case .ipv6:
            guard let layout = try? IPv6Layout(packet.bytes), !isInside(layout.destination) else { return false }
            return isInside(layout.source)
                || (layout.source == errors.ipv6Source && isOfOurOwn(layout.transport))
        case .ipv4:
            guard let layout = try? IPv4Layout(packet.bytes), !pool.contains(layout.destination) else { return false }
            return pool.contains(layout.source)
                || (layout.source == errors.ipv4Source && isOfOurOwn(layout.transport))
        case nil: return false
        }
    }

    /// Errors, and answers to pings.
    private func isOfOurOwn(_ transport: TransportLayout) -> Bool {
        transport.kind == .icmpError || transport.kind == .icmpEcho
    }

    private func isInside(_ address: IPv6Address) -> Bool { prefixes.contains { $0.contains(address) } }
}
