// SPDX-License-Identifier: Apache-2.0
import Evidence
import Testing
import Wire

@testable import Topology

@Suite struct DeviceAddressesTests {
    @Test func `devices are on networks that a router's advertisements make`() {
        #expect(Network.ofDevices == [.nat64, .nat64NoDNS64, .strict])
    }

    @Test func `each place has a prefix for each network, and no two have one in common`() {
        let links = ClientLink.standard.alternatives
        var seen: Set<IPv6Prefix> = []
        for link in links {
            for number in 0..<ClientSlot.limit {
                let place = ClientSlot(number, on: link)
                for network in Network.ofDevices {
                    let prefix = place.devicePrefix(on: network)!
                    #expect(place.devicePrefixes.contains(prefix.address) && link.devices.contains(prefix.address))
                    #expect(!links.contains { $0.prefix.contains(prefix.address) })
                    seen.insert(prefix)
                }
            }
        }
        #expect(seen.count == links.count * ClientSlot.limit * Network.ofDevices.count)
    }

    @Test func `there is none where a device would need IPv4 of us`() {
        for network in [Network.nat64CLAT, .dualStack, .ipv4Only] {
            #expect(ClientSlot.first.devicePrefix(on: network) == nil)
        }
    }

    @Test func `a server knows a device's place by any of its addresses`() {
        let place = ClientSlot(7, on: ClientLink.standard.alternatives[5])
        let address = IPv6Address(bits: place.devicePrefix(on: .strict)!.address.bits | 0xdead_beef)
        #expect(ServedClient(.ipv6(address)) == .place(place))
    }
}
