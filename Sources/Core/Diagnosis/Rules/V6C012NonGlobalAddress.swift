import Evidence

extension Rule {
    /// The router answers such a packet with an ICMP error. Where that was lost, or is switched off, the packet is all there is.
    package static let nonGlobalAddress = Rule(
        id: "V6C-012", title: "sends to an IPv4 address that the well-known prefix must not carry",
        advice:
            "Give the host an IPv6 address, or reach it through a NAT64 with a prefix of its network's own (--prefix "
            + "2001:db8:64::/96 tries that).",
        networks: [.nat64]
    ) { examination in
        let run = examination.run
        let refusals = run.refusals.filter { $0.kind == .nonGlobal }
        if refusals.isEmpty { return [] }
        let flows: [Observation] = run.flows.compactMap { flow in
            guard flow.unreachable == .prohibited, let address = flow.ipv4Destination else { return nil }
            return Observation(
                run.subject(flow),
                "\(run.farEnd(flow)) stands for \(address), and 64:ff9b::/96 carries no private or other non-global address "
                    + "(RFC 6052 §3.1).")
        }
        return flows.isEmpty ? refusals.map { Observation("\($0.count) × \($0.explanation) (\($0.example)).") } : flows
    }
}
