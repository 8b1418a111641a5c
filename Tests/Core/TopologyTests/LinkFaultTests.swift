// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Topology

@Suite struct LinkFaultTests {
    @Test(arguments: ["ipv6-black-hole=1400", "ipv4-black-hole=0", "ipv6-black-hole=65575"])
    func `a fault is written as it is read`(_ text: String) throws {
        #expect(try #require(LinkFault(text)).description == text)
    }

    @Test(arguments: [
        "", "=", "ipv6-black-hole", "ipv6-black-hole=", "ipv6-black-hole=65576", "ipv6-black-hole=+1",
        "ipv6-black-hole=1=2", "IPv6-black-hole=1", "ipv6-black-hole=99999999999999999999", "delay=400",
    ])
    func `what is none is not taken`(_ text: String) {
        #expect(LinkFault(text) == nil)
    }

    @Test func `the later one of a kind counts`() throws {
        let written = ["ipv6-black-hole=1300", "ipv4-black-hole=600", "ipv6-black-hole=1400"]
        let faults = LinkFaults(try written.map { try #require(LinkFault($0)) })
        #expect(faults.all.map(\.description) == ["ipv6-black-hole=1400", "ipv4-black-hole=600"])
        #expect(LinkFaults().all.isEmpty)
    }
}
