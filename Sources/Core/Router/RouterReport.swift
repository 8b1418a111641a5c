package import Findings
package import NAT64
package import Translation

// What a router has to say of itself.

extension Router {
    /// Packets that went nowhere.
    package var drops: DropLog { links.drops }
    package var traffic: LinkTraffic { links.traffic }
    /// Who talked to whom on the client's link, in the order of the first packets.
    package var flows: [Flow] { links.flows?.flows ?? [] }
    /// Packets of flows that found no place.
    package var lostFlows: Int { links.flows?.lost ?? 0 }

    /// The translator's; nil where there is none.
    package var translatorCounters: Counters? {
        func read(_ nat64: borrowing NAT64) -> Counters { nat64.counters }
        return nat64 == nil ? stateless?.counters : read(nat64!)
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
    package var stored: UInt64 { nat64?.counters.stored ?? 0 }

    /// Whether the translator keeps state, nil where there is no translator.
    package var isStateful: Bool? { nat64 != nil ? true : stateless != nil ? false : nil }

    package func forEachSession(_ body: (SessionReport) -> Void) { nat64?.forEachSession(body) }

    package func forEachBinding(_ body: (BindingReport) -> Void) { nat64?.forEachBinding(body) }

    /// Entries in the NAT64's tables, over all protocols.
    package var tableCounts: (bindings: Int, sessions: Int) {
        var sum = (bindings: 0, sessions: 0)
        for transport in TransportProtocol.allCases {
            guard let counts = nat64?.tableCounts(of: transport) else { break }
            sum.bindings += counts.bindings
            sum.sessions += counts.sessions
        }
        return sum
    }
}
