// SPDX-License-Identifier: Apache-2.0
import Testing
import Wire

@testable import Topology

@Suite struct AddressRulesTests {
    @Test(arguments: [
        "192.0.2.7", "192.0.0.1", "127.0.0.1", "169.254.1.1", "240.1.2.3", "::", "fe80::1", "2e00:2:0:1::9",
        "64:ff9b::1",
        "::ffff:1.2.3.4",
    ])
    func `an address that no packet is routed to, or that we need, is no host's`(_ text: String) throws {
        #expect(AddressRules.objection(to: try #require(IPAddress(text))) != nil)
    }

    @Test(arguments: [
        "198.51.100.1", "10.0.0.1", "169.254.169.254", "fd00:ec2::254", "192.0.0.9", "2e00:2:0:cafe::1", "fd00::1",
        "2001:db8::1", "64:ff9b:1::1",
    ])
    func `any other address may be a host's`(_ text: String) throws {
        #expect(AddressRules.objection(to: try #require(IPAddress(text))) == nil)
    }

    @Test func `what is recommended can be had`() {
        #expect(AddressRules.recommendation == "take one of 198.51.100.0/24, 203.0.113.0/24 or 2e00:2:0:cafe::/64")
        for network in NetworkPlan.hostNetworksIPv4 {
            #expect(AddressRules.objection(to: .ipv4(network.address)) == nil)
        }
    }
}
