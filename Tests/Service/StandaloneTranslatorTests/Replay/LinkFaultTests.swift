// SPDX-License-Identifier: Apache-2.0
import NAT64
import TestPackets
import Testing
import Translation
import Wire

@testable import StandaloneTranslator

@Suite struct `A path-MTU black hole` {
    private let small = Packets.ipv6(.udp(5000, 53, [UInt8](repeating: 1, count: 900)))
    private let large = Packets.ipv6(.udp(5000, 53, [UInt8](repeating: 1, count: 1_300)))

    @Test(arguments: [("ipv6-black-hole", 1_347), ("ipv4-black-hole", 1_327)])
    func `swallows what is larger, and tells nobody`(key: String, octets: Int) throws {
        let packets = [Captured(0, small), Captured(1, large)]
        let result = try replay(packets, "  faults: { \(key): \(octets) }\n")
        #expect(result.outputs.count == 1)
        #expect(result.summary.translator.counters.emittedToIPv4 == 1, "only what left")
        #expect(result.drops(2) == ["fault-black-hole"])
        #expect(result.summary.translator.drops.counters[.faultBlackHole] == 1)
        // One octet more is enough.
        #expect(try replay(packets, "  faults: { \(key): \(octets + 1) }\n").outputs.count == 2)
    }
}
