// SPDX-License-Identifier: Apache-2.0
import NAT64
import TestPackets
import Testing
import Translation
import Wire

@testable import StandaloneTranslator

/// A capture of both sides has the translator's own packets among the others.
@Suite struct `A capture of a live translator` {
    private let binding = """
          static-bindings:
            - { protocol: udp, ipv6: 2e00:2:0:1::c0:100, ipv6-port: 5000, ipv4: 192.0.2.64, ipv4-port: 5000 }
        """

    @Test func `is translated anew, its outputs being skipped`() throws {
        let request = Packets.ipv6(.udp(5000, 53))
        let answer = Packets.ipv4(.udp(53, 5000))
        let inputs = [Captured(1, request), Captured(2, answer)]
        let translated = try replay(inputs, binding)
        let both = [inputs[0], translated.outputs[0], inputs[1], translated.outputs[1]]
        let again = try replay(both, binding)
        #expect(again.outputs == translated.outputs)
        #expect(again.summary.skipped == 2 && again.summary.translator.drops.counters.total == 0)
        #expect(again.line(2)["skipped"] as? String == "an output of the translator")
        #expect(again.line(2)["outputs"] == nil)
    }

    @Test func `has the translator's own errors, too`() throws {
        let refused = [
            Captured(1, Packets.ipv6(.udp(1, 2), hopLimit: 1)),
            Captured(2, Packets.ipv4(.udp(53, 9))),
        ]
        let errors = try replay(refused).outputs
        try #require(errors.count == 2)
        #expect(try replay(errors).summary.skipped == 2)
    }

    @Test func `is not excused for packets that only look like its own`() throws {
        // To a Pref64 from inside one, and to the pool from the pool: only an attacker sends such packets.
        let result = try replay([
            Captured(1, Packets.ipv6(from: Packets.synthesised, .udp(1, 2))),
            Captured(2, Packets.ipv4(from: Packets.pool, .udp(1, 2))),
        ])
        #expect(result.drops(1) == ["source-inside-pref64"])
        #expect(!result.drops(2).isEmpty)
    }

    @Test func `may have super-packets, which are too large otherwise`() throws {
        let large = Packets.ipv6(
            .tcp(5001, 80, .ack, payload: [UInt8](repeating: 3, count: 20_000)))
        let syn = Packets.ipv6(.tcp(5001, 80, .syn))
        let packets = [Captured(0, syn), Captured(1, large)]
        #expect(try replay(packets).drops(2) == ["packet-too-big"])
        var options = Replay.Options()
        options.hasSuperPackets = true
        let result = try replay(packets, options: options)
        #expect(result.drops(2) == [])
        #expect(result.outputs(2).map(\.bytes.count) == [20_000 + 20 + 20])
    }
}
