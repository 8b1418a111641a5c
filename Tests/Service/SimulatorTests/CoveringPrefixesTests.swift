// SPDX-License-Identifier: Apache-2.0
import Testing
import Wire

@testable import Simulator

@Suite("Prefixes that cover addresses") struct CoveringPrefixesTests {
    @Test func `addresses are covered by the fewest prefixes that hold no others`() {
        func address(_ last: UInt8) -> IPv4Address { IPv4Address(10, 0, 0, last) }
        let covering = IPv4Prefix.covering([1, 2, 3, 4, 5, 6, 7, 9, 3].map(address))
        #expect(covering.map(\.description) == ["10.0.0.1/32", "10.0.0.2/31", "10.0.0.4/30", "10.0.0.9/32"])
        #expect(IPv4Prefix.covering((0...255).map { address($0) }).map(\.description) == ["10.0.0.0/24"])
        #expect(IPv4Prefix.covering([]).isEmpty)
    }
}
