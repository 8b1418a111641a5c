// SPDX-License-Identifier: Apache-2.0
package import Evidence
package import NAT64
import Topology
package import Translation
import Wire

// Read access to a router's state, for reports, metrics and the control API. `NAT64` and `StatelessStage` are noncopyable: a `switch`
// borrows them, `if let` would consume them.

extension Router {
    /// Packets that were dropped.
    package var drops: DropLog { links.drops }
    package var traffic: LinkTraffic { links.traffic }
    /// The flows on the client's link, in the order of their first packets.
    package var flows: [Flow] { links.flows?.flows ?? [] }
    /// The effects of conditions on packets, to the client and from it; `nil` if there are none.
    package var conditionCounts: (down: ConditionCounts, up: ConditionCounts)? {
        links.conditioner?.counts
    }
    /// The effects of the hosts' links on packets, in the order of the configuration's paths; `nil` for a link without conditions.
    package var hostConditionCounts: [(down: ConditionCounts, up: ConditionCounts)?] { links.paths?.counts ?? [] }
    /// Packets whose flow is missing, because the flow log was full.
    package var lostFlows: Int { links.flows?.lost ?? 0 }

    /// The translator's counters; `nil` if there is none.
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

    /// The translator's counters, but with the packets that the whole router received, sent and dropped: those that no translator handled
    /// count as well.
    package var counters: Counters {
        var counters = translatorCounters ?? Counters()
        counters.receivedFromIPv6 = traffic.from(links.link(of: .ipv6)).packets
        counters.receivedFromIPv4 = traffic.from(links.link(of: .ipv4)).packets
        counters.emittedToIPv6 = traffic.to(links.link(of: .ipv6)).packets
        counters.emittedToIPv4 = traffic.to(links.link(of: .ipv4)).packets
        counters.drops = drops.counters
        return counters
    }

    /// Packets that the NAT64 has stored so far, until more is known: fragments, and SYNs from the IPv4 side.
    package var stored: UInt64 { translatorCounters?.stored ?? 0 }

    /// Whether the translator is stateful; `nil` if there is no translator.
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

    /// Entries in the NAT64's tables, over all protocols. BIB entries that are held back from reuse count, although `forEachBinding` leaves
    /// them out.
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
