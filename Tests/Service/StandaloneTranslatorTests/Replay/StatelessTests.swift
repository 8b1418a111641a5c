// SPDX-License-Identifier: Apache-2.0
import NAT64
import TestPackets
import Testing
import Translation
import Wire

@testable import StandaloneTranslator

@Suite struct `Without state` {
    private let configuration = """
          mode: stateless
          explicit-address-mappings:
            - { ipv4: 198.51.100.7, ipv6: 2e00:2:0:1::c0:100 }
        """
    private let mapped = IPv4Address(198, 51, 100, 7)

    @Test func `both directions are translated by themselves, whatever the transport`() throws {
        let result = try replay(
            [
                Captured(0, Packets.ipv4(to: mapped, .udp(53, 9))),
                Captured(1, Packets.ipv6(.udp(9, 53))),
                Captured(2, Packets.ipv6(UpperLayer(protocolNumber: 132, octets: [UInt8](repeating: 1, count: 12)))),
            ], configuration)
        #expect(result.outputs.map { $0.bytes[0] >> 4 } == [6, 4, 4])
        #expect(result.summary.translator.counters.emittedToIPv4 == 2)
        #expect(result.outputs[2].bytes[9] == 132)
        // Its ports are its own.
        #expect(result.outputs[1].bytes[20...23] == [0, 9, 0, 53])
    }

    @Test func `what cannot be translated is answered, as often as the limit allows`() throws {
        let dead = Packets.ipv6(.udp(1, 2), hopLimit: 1)
        let result = try replay(
            [Captured(0, dead), Captured(0, dead), Captured(1, dead)],
            configuration + "\n  errors: { per-second: 1, burst: 1 }\n")
        #expect(result.outputs.map { $0.bytes[40] } == [3, 3])
        #expect(result.summary.translator.counters.errorsSuppressed == 1)
        #expect(result.summary.translator.drops.counters[.hopLimitExceeded] == 3)
        let silent = try replay([Captured(0, dead)], configuration + "\n  errors: { enabled: false }\n")
        #expect(silent.outputs.isEmpty)
    }

    @Test func `identifications do not begin at zero, and the seed decides on them`() throws {
        func identification(_ seed: Int) throws -> [UInt8] {
            let result = try replay(
                [Captured(0, Packets.ipv6(.udp(1, 2)))], configuration + "\n  seed: \(seed)\n")
            return Array(try #require(result.outputs.first).bytes[4..<6])
        }
        #expect(try identification(0) != [0, 0])
        #expect(try identification(0) == identification(0))
        #expect(try identification(0) != identification(1))
    }

    @Test func `a Packet Too Big of a router without a mapping comes from the translator, or from the pool`() throws {
        let router = IPv6Address("2001:db8:77::1")!
        let big = Packets.ipv6(from: Packets.synthesised, to: Packets.client, .udp(53, 9))
        let error = Packets.ipv6(from: router, .icmpv6(2, 0, [0, 0, 5, 0x78] + big))
        let own = try replay([Captured(0, error)], configuration)
        #expect(own.drops(1).isEmpty)
        let packet = try #require(own.outputs.first).bytes
        #expect(packet[12..<16] == [192, 0, 2, 1] && packet[20...21] == [3, 4], "Fragmentation Needed")
        let pooled = try replay([Captured(0, error)], configuration + "\n  errors: { ipv4-pool: 198.51.100.99 }\n")
        #expect(try #require(pooled.outputs.first).bytes[12..<16] == [198, 51, 100, 99])
    }

    @Test func `an error of a router with a private address comes from the translator, or from a prefix`() throws {
        let sent = Packets.ipv4(from: mapped, to: Packets.world, .udp(9, 53))
        let error = Packets.ipv4(
            from: IPv4Address(10, 0, 0, 1), to: mapped, .icmpv4(11, 0, [0, 0, 0, 0] + sent))
        let own = try replay([Captured(0, error)], configuration)
        #expect(
            try #require(own.outputs.first).bytes[8..<24] == bigEndian(IPv6Address("2e00:2:0:1::1")!)[...])
        let prefixed = try replay(
            [Captured(0, error)], configuration + "\n  errors: { rfc6791v6-prefix: \"2001:db8:6791::/96\" }\n")
        #expect(
            try #require(prefixed.outputs.first).bytes[8..<24]
                == bigEndian(IPv6Address("2001:db8:6791::a00:1")!)[...])
    }

    @Test func `a packet without a mapping goes nowhere`() throws {
        let stranger = IPv6Address("2001:db8::5")!
        let result = try replay([Captured(0, Packets.ipv6(from: stranger, .udp(1, 2)))], configuration)
        #expect(result.drops(1) == ["no-address-mapping"])
    }
}
