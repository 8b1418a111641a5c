import NAT64
import Testing
import Translation
import Wire

@testable import Gateway

@Suite struct `Without state` {
    private let configuration = """
          mode: stateless
          explicit-address-mappings:
            - { ipv4: 198.51.100.7, ipv6: 2001:2:0:aab1::100 }
        """
    private let mapped = IPv4Address(198, 51, 100, 7)

    @Test func `both directions are translated by themselves, whatever the transport`() throws {
        let result = try replay(
            [
                Captured(0, Packets.ipv4(to: mapped, .udp, Packets.udp(53, 9))),
                Captured(1, Packets.ipv6(.udp, Packets.udp(9, 53))),
                Captured(2, Packets.ipv6(IPProtocol(rawValue: 132), [UInt8](repeating: 1, count: 12))),
            ], configuration)
        #expect(result.outputs.map { $0.bytes[0] >> 4 } == [6, 4, 4])
        #expect(result.summary.gateway.counters.emittedToIPv4 == 2)
        #expect(result.outputs[2].bytes[9] == 132)
        // Its ports are its own.
        #expect(result.outputs[1].bytes[20...23] == [0, 9, 0, 53])
    }

    @Test func `what cannot be translated is answered, as often as the limit allows`() throws {
        let dead = Packets.ipv6(.udp, Packets.udp(1, 2), hopLimit: 1)
        let result = try replay(
            [Captured(0, dead), Captured(0, dead), Captured(1, dead)],
            configuration + "\n  errors: { per-second: 1, burst: 1 }\n")
        #expect(result.outputs.map { $0.bytes[40] } == [3, 3])
        #expect(result.summary.gateway.counters.errorsSuppressed == 1)
        #expect(result.summary.gateway.drops.counters[.hopLimitExceeded] == 3)
        let silent = try replay([Captured(0, dead)], configuration + "\n  errors: { enabled: false }\n")
        #expect(silent.outputs.isEmpty)
    }

    @Test func `a packet without a mapping goes nowhere`() throws {
        let stranger = IPv6Address("2001:db8::5")!
        let result = try replay([Captured(0, Packets.ipv6(from: stranger, .udp, Packets.udp(1, 2)))], configuration)
        #expect(result.drops(1) == ["no-address-mapping"])
    }
}
