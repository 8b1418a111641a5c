// SPDX-License-Identifier: Apache-2.0
@testable import ConfigurationText
import Testing
import Wire

/// A world file is untrusted: for any contents, reading it ends, with no more messages than a person would read.
@Suite("Hostile world files") struct HostileWorldFileTests {
    private static let seeds: [[UInt8]] = [
        DemoWorldTests.file,
        Array(
            """
            version: 1
            ttl: 60
            dns64: { profile: unbound, faults: ["*.shop.test AAAA drop"] }
            hosts:
              a.test: { addresses: [198.51.100.1, 2e00:2:0:cafe::1], services: { http: [80, 8080], tcp-echo: 7 }, ttl: 5 }
            records: [b.test 5 CNAME a.test, "test. TXT \\"a\\" \\"b\\""]
            """.utf8),
    ]

    private func expectBounded(_ octets: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) {
        let lines = complaints(octets)
        #expect(lines.count <= 100, sourceLocation: sourceLocation)
        #expect(lines.allSatisfy { $0.hasPrefix("w.yaml") }, "\(lines)", sourceLocation: sourceLocation)
    }

    @Test(arguments: seeds) func `may end anywhere`(seed: [UInt8]) {
        for length in seed.indices { expectBounded(Array(seed.prefix(length))) }
    }

    @Test(arguments: seeds) func `may be changed anywhere`(seed: [UInt8]) {
        // Octets with a meaning in YAML, or with none at all.
        let octets = Array("-?:[]{},#&*!|>'\"%@`~ \t\n\r0".utf8) + [0x00, 0x7f, 0x85, 0xc2, 0xe2, 0xff]
        var random = LinearCongruential(state: 1)
        for _ in 0..<1_500 {
            var changed = seed
            for _ in 0...Int(random.next() % 4) {
                let place = Int(random.next() % UInt64(changed.count))
                switch random.next() % 3 {
                case 0: changed[place] = octets[Int(random.next() % UInt64(octets.count))]
                case 1: changed.insert(octets[Int(random.next() % UInt64(octets.count))], at: place)
                default: changed.removeSubrange(place..<min(changed.count, place + 1 + Int(random.next() % 16)))
                }
                if changed.isEmpty { break }
            }
            expectBounded(changed)
        }
    }
}

/// Knuth's, so that every run tries the same files.
private struct LinearCongruential {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 33
    }
}
