// SPDX-License-Identifier: Apache-2.0
import Evidence
import Topology

/// The real network, in a few words.
func phrase(_ network: HostNetwork) -> String {
    network.hasIPv6 ? "the real network" : "the real network, IPv4 alone"
}

/// A phrase for each unusual condition of a client on this network; empty if there is none.
func phrases(_ links: LinkConditions, on network: NetworkEntry) -> [String] {
    var phrases: [String] = []
    if links.clientMTU == links.worldMTU {
        if links.clientMTU != LinkConditions.usualMTU { phrases.append("MTU \(links.clientMTU)") }
    } else {
        phrases.append("MTU \(links.clientMTU), the world's \(links.worldMTU)")
    }
    if let setup = links.setup { phrases.append("link \(setup)") }
    return phrases + links.faults + (network.hasNAT64 ? links.nat64 : [])
}
