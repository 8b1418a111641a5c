// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import NAT64
import Router
import TestPackets
import Testing
import Translation
import Wire

@testable import StandaloneTranslator

@Suite struct `Another configuration for a running translator` {
    private final class Counting: RouterOutput {
        var emitted: [[UInt8]] = []
        func send(_ packet: inout PacketBuffer, to link: Link) -> DropReason? {
            emitted.append(packet.octets)
            return nil
        }
        func dropped(_ packet: borrowing PacketBuffer, from link: Link, because reason: DropReason) {}
    }

    private static func configuration(_ mapped: String, mode: String = "stateless") throws -> TranslatorConfiguration {
        let mappings =
            mode == "stateless" ? "explicit-address-mappings: [{ ipv4: \(mapped), ipv6: \"2e00:2:0:1::c0:100\" }]" : ""
        return try TranslatorConfiguration(
            yaml: Array("version: 1\nnat64:\n  mode: \(mode)\n  \(mappings)\n".utf8), name: "r.yaml")
    }

    @Test func `has other mappings at once, and counters and identifications go on`() throws {
        let output = Counting()
        var router = try Router(
            RouterConfiguration(try Self.configuration("198.51.100.7")), now: .zero, output: output)
        func send(_ router: inout Router) {
            var buffer = PacketBuffer()
            buffer.replace(with: Packets.ipv6(.udp(1, 2)).span)
            router.receive(&buffer, from: .client, at: .zero)
        }
        send(&router)
        try router.reload(try Self.configuration("198.51.100.8"), at: .zero)
        send(&router)
        #expect(output.emitted.map { $0[15] } == [7, 8])
        let counters = router.counters
        #expect(counters.emittedToIPv4 == 2)
        let identifications = output.emitted.map { UInt16($0[4]) << 8 | UInt16($0[5]) }
        #expect(identifications[1] == identifications[0] &+ 1)
    }

    @Test(arguments: [("stateful", "stateless"), ("stateless", "stateful"), ("stateful", "stateful")])
    func `is refused where state would be lost or would have to come from nowhere`(old: String, new: String) throws {
        var router = try Router(
            RouterConfiguration(try Self.configuration("198.51.100.7", mode: old)), now: .zero, output: Counting())
        let other = try Self.configuration("198.51.100.7", mode: new)
        do throws(TranslatorError) {
            try router.reload(other, at: .zero)
            Issue.record("it was taken")
        } catch {}
    }
}
