// SPDX-License-Identifier: Apache-2.0
import TestPackets
import Testing
import Translation
import Wire

@testable import NAT64

/// Writes down what a NAT64 lets go.
final class Recorder: PacketOutput {
    var emitted: [(side: Side, packet: Seen)] = []
    var drops: [(side: Side, reason: DropReason)] = []

    func emit(_ packet: inout PacketBuffer, to side: Side, _ outline: IPv6Outline?) {
        let octets = (0..<packet.count).map { packet.bytes[$0] }
        var seen = Seen(octets)
        seen.offload = packet.offload
        emitted.append((side, seen))
        // A receiver may overwrite the buffer.
        var bytes = packet.mutableBytes
        for index in 0..<bytes.count { bytes[index] = 0xa5 }
    }

    func dropped(_ packet: borrowing PacketBuffer, from side: Side, because reason: DropReason) {
        drops.append((side, reason))
    }
}

/// The output and the drops caused by one packet.
struct Outcome {
    var emitted: [(side: Side, packet: Seen)]
    var drops: [DropReason]

    /// The emitted packet; fails unless exactly one was emitted, to `side`.
    func only(to side: Side, sourceLocation: SourceLocation = #_sourceLocation) throws -> Seen {
        #expect(drops.isEmpty && emitted.count == 1, sourceLocation: sourceLocation)
        let packet = try #require(emitted.first { $0.side == side }?.packet, sourceLocation: sourceLocation)
        return packet
    }

    var isNothing: Bool { emitted.isEmpty && drops.isEmpty }
}

/// A NAT64 between two sides, at a time of the test's choosing.
struct Network: ~Copyable {
    static let prefix = IPv6Address("64:ff9b::")!
    static let router6 = IPv6Address("2001:db8:ffff::1")!
    static let router4 = IPv4Address("192.0.2.254")!
    static let pool = [IPv4Address("192.0.2.1")!]

    var nat: NAT64
    let recorder = Recorder()
    var now = Instant.zero
    /// Off where the test sends wrong checksums, which the NAT64 is not to mend.
    var expectsRightChecksums = true

    static func configuration(pool: [IPv4Address] = pool) -> NAT64Configuration {
        var configuration = NAT64Configuration(
            prefixes: [.wellKnown], pool: pool,
            errors: ErrorPolicy(ipv6Source: router6, ipv4Source: router4))
        // Documentation addresses are not global: RFC 6052 §3.1 forbids them under the well-known prefix.
        configuration.exemptIPv4 = [
            IPv4Prefix("192.0.2.0/24")!, IPv4Prefix("198.51.100.0/24")!, IPv4Prefix("203.0.113.0/24")!,
        ]
        return configuration
    }

    init(_ configuration: NAT64Configuration = configuration(), seed: UInt64 = 1) throws {
        nat = try NAT64(configuration, seed: seed, now: .zero)
    }

    init(seed: UInt64 = 1, _ change: (inout NAT64Configuration) -> Void) throws {
        var configuration = Self.configuration()
        change(&configuration)
        try self.init(configuration, seed: seed)
    }

    // MARK: - Time

    /// Lets time pass, and says what came of it.
    @discardableResult
    mutating func pass(_ duration: Duration) -> Outcome {
        now = now + duration
        nat.expire(at: now, output: recorder)
        return takeOutcome()
    }

    // MARK: - Packets

    /// Gives the NAT64 a packet, and returns the outcome. All output is verified.
    @discardableResult
    mutating func receive(_ octets: [UInt8], from side: Side, offload: Offload = .none) -> Outcome {
        var buffer = PacketBuffer()
        buffer.replace(with: octets.span)
        buffer.offload = offload
        nat.receive(&buffer, from: side, at: now, output: recorder)
        return takeOutcome()
    }

    private func takeOutcome() -> Outcome {
        let outcome = Outcome(emitted: recorder.emitted, drops: recorder.drops.map(\.reason))
        recorder.emitted = []
        recorder.drops = []
        for (side, packet) in outcome.emitted {
            #expect(packet.problem == nil, "\(packet.octets)")
            if expectsRightChecksums { #expect(!packet.hasWrongChecksum, "\(packet.octets)") }
            #expect(packet.octets[0] >> 4 == (side == .ipv6 ? 6 : 4))
        }
        return outcome
    }

    /// From an IPv6 host to an IPv4 host under the Pref64.
    @discardableResult
    mutating func send6(_ source: String, _ destination: String, _ upper: UpperLayer, hopLimit: UInt8 = 64) -> Outcome {
        receive(
            ipv6Packet(IPv6Address(source)!, Self.synthesized(destination), upper, hopLimit: hopLimit), from: .ipv6)
    }

    /// From an IPv4 host to an address of the pool.
    @discardableResult
    mutating func send4(_ source: String, _ destination: String, _ upper: UpperLayer, ttl: UInt8 = 64) -> Outcome {
        receive(ipv4Packet(IPv4Address(source)!, IPv4Address(destination)!, upper, ttl: ttl), from: .ipv4)
    }

    static func synthesized(_ address: String) -> IPv6Address {
        IPv6Address(bits: prefix.bits | UInt128(IPv4Address(address)!.bits))
    }

    // MARK: - State

    var sessions: [SessionReport] {
        var reports: [SessionReport] = []
        nat.forEachSession { reports.append($0) }
        return reports
    }

    var bindings: [BindingReport] {
        var reports: [BindingReport] = []
        nat.forEachBinding { reports.append($0) }
        return reports
    }
}

/// A host on the IPv6 side, and one on the IPv4 side, for the many tests that need just these.
let h6 = "2001:db8::1"
let h4 = "198.51.100.1"
let t4 = "192.0.2.1"
