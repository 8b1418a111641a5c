import DNS64
import DNSWire
import Evidence

extension Rule {
    /// A service that has IPv4 alone is out of reach where nothing translates, whatever the client does right.
    package static let needsTranslation = Rule(
        id: "V6C-070", title: "needs a host that has no IPv6 address",
        advice:
            "Give the service an IPv6 address and an AAAA record. Until then the client needs a network with DNS64 and NAT64 "
            + "(--network nat64), or with IPv4.",
        networks: [.strict, .strictNoLoopback4], needs: [.queries, .flows], supersedes: ["V6C-005", "V6C-007"]
    ) { examination in
        guard examination.gotThroughOnDualStack, let control = examination.control else { return [] }
        let asked = examination.run.seen.questions.filter { $0.isForAddress && $0.isFaultless }
        let withIPv6 = Set(asked.filter { $0.addresses.contains { !$0.isIPv4 } }.map(\.name))
        var told: Set<DomainName> = []
        return examination.telling.compactMap { flow in
            guard flow.remote.isIPv4, let name = control.names[flow], !withIPv6.contains(name),
                asked.contains(where: { $0.name == name }), told.insert(name).inserted
            else { return nil }
            return Observation(
                "\(name) has no AAAA record; on dual-stack it went to \(flow.remote) (\(service: flow)).",
                about: .name(name))
        }
    }
}
