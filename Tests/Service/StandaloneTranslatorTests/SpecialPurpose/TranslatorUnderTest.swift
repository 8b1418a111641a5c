// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import NAT64
import Router
import TestPackets
import Testing
import Translation
import Wire

@testable import StandaloneTranslator

/// Writes down what a router lets go.
private final class Recorder: RouterOutput {
    var emitted: [[UInt8]] = []
    var drops: [DropReason] = []

    func send(_ packet: inout PacketBuffer, to link: Link) -> DropReason? {
        emitted.append(packet.octets)
        return nil
    }

    func dropped(_ packet: borrowing PacketBuffer, from link: Link, because reason: DropReason) { drops.append(reason) }
}

/// A translator under a Pref64, between 2001:470:8::8, which is 8.8.4.8 on the other side, and 9.9.9.9; in both modes.
final class TranslatorUnderTest {
    static let host6 = IPv6Address("2001:470:8::8")!
    static let host4 = IPv4Address(8, 8, 4, 8)
    static let remote = IPv4Address(9, 9, 9, 9)
    static let own6 = IPv6Address("2001:470:ffff::1")!
    static let own4 = IPv4Address(8, 8, 0, 1)

    let prefix: Pref64
    let mode: TranslatorConfiguration.Mode
    private var router: Router
    private let recorder = Recorder()
    /// The port that the host's 4000 is on the other side.
    private var mappedPort: UInt16 = 4_000

    init(_ prefix: String, _ mode: TranslatorConfiguration.Mode) throws {
        self.prefix = try Pref64(prefix)
        self.mode = mode
        var configuration = TranslatorConfiguration()
        configuration.mode = mode
        configuration.nat64.prefixes = [self.prefix]
        configuration.nat64.pool = [Self.host4]
        configuration.nat64.exemptIPv4 = []
        configuration.nat64.errors = ErrorPolicy(ipv6Source: Self.own6, ipv4Source: Self.own4)
        configuration.mappings = try ExplicitAddressMappingTable([
            try #require(ExplicitAddressMapping(IPv4Prefix("8.8.4.0/24")!, IPv6Prefix("2001:470:8::/120")!))
        ])
        router = try Router(RouterConfiguration(configuration), now: .zero, output: recorder)
        if mode == .stateful {
            guard
                let out = send(
                    Packets.ipv6(from: Self.host6, to: self.prefix.embed(Self.remote), .udp(4_000, 53))
                )
                .emitted.first
            else { return }
            mappedPort = UInt16(out[20]) << 8 | UInt16(out[21])
        }
    }

    func send(_ packet: [UInt8]) -> (emitted: [[UInt8]], drops: [DropReason]) {
        recorder.emitted = []
        recorder.drops = []
        var buffer = PacketBuffer()
        buffer.replace(with: packet.span)
        router.receive(&buffer, from: packet[0] >> 4 == 6 ? .client : .world, at: .zero)
        return (recorder.emitted, recorder.drops)
    }

    /// The translator's verdict on a packet with `address` at the given place.
    func verdict(_ direction: Expectation.Direction, _ place: Expectation.Place, _ address: IPv4Address) -> Expectation
        .Verdict?
    {
        let (emitted, drops) = send(packet(direction, place, address))
        let wanted: UInt8 = direction == .fromIPv4 ? 6 : 4
        guard let out = emitted.first, out[0] >> 4 == wanted else {
            // Nothing, or an error that goes back.
            #expect(drops.count == 1 && emitted.count <= 1)
            return emitted.isEmpty ? .drop : .refuse
        }
        #expect(drops.isEmpty && emitted.count == 1)
        guard let seen = shown(place, in: out) else { return nil }
        if seen == expected(address, in: out) { return .pass }
        return seen == own(out) ? .own : nil
    }

    // MARK: - Packets that go in

    private func packet(
        _ direction: Expectation.Direction, _ place: Expectation.Place, _ address: IPv4Address
    ) -> [UInt8] {
        direction == .fromIPv4 ? packet4(place, address) : packet6(place, address)
    }

    private func packet4(_ place: Expectation.Place, _ address: IPv4Address) -> [UInt8] {
        func from(_ source: IPv4Address, _ destination: IPv4Address) -> [UInt8] {
            Packets.ipv4(from: source, to: destination, .udp(53, mappedPort))
        }
        func error(_ source: IPv4Address, _ quotedSource: IPv4Address, _ quotedDestination: IPv4Address) -> [UInt8] {
            let quoted = Packets.ipv4(from: quotedSource, to: quotedDestination, .udp(mappedPort, 53))
            return Packets.ipv4(from: source, to: Self.host4, .icmpv4(11, 0, [0, 0, 0, 0] + quoted))
        }
        return switch place {
        case .source: from(address, Self.host4)
        case .destination: from(Self.remote, address)
        case .errorSource: error(address, Self.host4, Self.remote)
        case .quotedSource: error(Self.remote, address, Self.remote)
        case .quotedDestination: error(Self.remote, Self.host4, address)
        }
    }

    private func packet6(_ place: Expectation.Place, _ address: IPv4Address) -> [UInt8] {
        let address = prefix.embed(address)
        let remote = prefix.embed(Self.remote)
        func from(_ source: IPv6Address, _ destination: IPv6Address) -> [UInt8] {
            Packets.ipv6(from: source, to: destination, .udp(4_000, 53))
        }
        func error(_ source: IPv6Address, to: IPv6Address? = nil, _ from: IPv6Address, _ destination: IPv6Address)
            -> [UInt8]
        {
            let quoted = Packets.ipv6(from: from, to: destination, .udp(53, 4_000))
            return Packets.ipv6(from: source, to: to ?? remote, .icmpv6(3, 0, [0, 0, 0, 0] + quoted))
        }
        return switch place {
        case .source: from(address, remote)
        case .destination: from(Self.host6, address)
        case .errorSource: error(address, remote, Self.host6)
        // With state, an error must go to the source of its quote.
        case .quotedSource: error(Self.host6, to: mode == .stateful ? address : nil, address, Self.host6)
        case .quotedDestination: error(Self.host6, remote, address)
        }
    }

    // MARK: - Packets that come out

    /// The address at the place of a translated packet.
    private func shown(_ place: Expectation.Place, in packet: [UInt8]) -> [UInt8]? {
        let (source, destination, quote, length) = packet[0] >> 4 == 6 ? (8, 24, 48, 16) : (12, 16, 28, 4)
        let offset =
            switch place {
            case .source, .errorSource: source
            case .destination: destination
            case .quotedSource: quote + source
            case .quotedDestination: quote + destination
            }
        return offset + length <= packet.count ? Array(packet[offset..<offset + length]) : nil
    }

    private func expected(_ address: IPv4Address, in packet: [UInt8]) -> [UInt8] {
        packet[0] >> 4 == 6 ? bigEndian(prefix.embed(address)) : bigEndian(address)
    }

    private func own(_ packet: [UInt8]) -> [UInt8] {
        packet[0] >> 4 == 6 ? bigEndian(Self.own6) : bigEndian(Self.own4)
    }
}
