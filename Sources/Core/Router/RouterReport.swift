// SPDX-License-Identifier: Apache-2.0
package import Evidence
package import NAT64
import Topology
package import Translation
import Wire

// What a router has to say of itself.

extension Router {
    /// Packets that went nowhere.
    package var drops: DropLog { links.drops }
    package var traffic: LinkTraffic { links.traffic }
    /// Who talked to whom on the client's link, in the order of the first packets.
    package var flows: [Flow] { links.flows?.flows ?? [] }
    /// What conditions did to packets, to the client and from it; `nil` where there are none.
    package var conditionCounts: (down: ConditionCounts, up: ConditionCounts)? {
        links.conditioner?.counts
    }
    /// What the links of hosts did to packets, in the order of the configuration's paths; `nil` of one that is as a cable.
    package var hostConditionCounts: [(down: ConditionCounts, up: ConditionCounts)?] { links.paths?.counts ?? [] }
    /// Packets of flows that found no place.
    package var lostFlows: Int { links.flows?.lost ?? 0 }

    /// The translator's; `nil` if there is none.
    package var translatorCounters: Counters? {
        switch nat64 {
        case .some(let nat64): return nat64.counters
        case nil: break
        }
        switch stateless {
        case .some(let stateless): return stateless.counters
        case nil: return nil
        }
    }

    /// The translator's, with what the links and the other stages did: every packet that came or left is counted.
    package var counters: Counters {
        var counters = translatorCounters ?? Counters()
        counters.receivedFromIPv6 = traffic.from(links.link(of: .ipv6)).packets
        counters.receivedFromIPv4 = traffic.from(links.link(of: .ipv4)).packets
        counters.emittedToIPv6 = traffic.to(links.link(of: .ipv6)).packets
        counters.emittedToIPv4 = traffic.to(links.link(of: .ipv4)).packets
        counters.drops = drops.counters
        return counters
    }

    /// Packets that had to wait so far.
    package var stored: UInt64 { translatorCounters?.stored ?? 0 }

    /// Whether the translator keeps state, `nil` if there is no translator.
    package var isStateful: Bool? { nat64 != nil ? true : stateless != nil ? false : nil }

    package func forEachSession(_ body: (SessionReport) -> Void) {
        switch nat64 {
        case .some(let nat64): nat64.forEachSession(body)
        case nil: break
        }
    }

    package func forEachBinding(_ body: (BindingReport) -> Void) {
        switch nat64 {
        case .some(let nat64): nat64.forEachBinding(body)
        case nil: break
        }
    }

    /// Entries in the NAT64's tables, over all protocols.
    package var tableCounts: (bindings: Int, sessions: Int) {
        var sum = (bindings: 0, sessions: 0)
        switch nat64 {
        case .some(let nat64):
            for transport in TransportProtocol.allCases {
                let counts = nat64.tableCounts(of: transport)
                sum.bindings += counts.bindings
                sum.sessions += counts.sessions
            }
        case nil: break
        }
        return sum
    }
}
