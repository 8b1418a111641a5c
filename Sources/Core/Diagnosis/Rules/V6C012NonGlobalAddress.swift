// SPDX-License-Identifier: Apache-2.0
import Evidence
import Translation

extension Rule {
    /// The router answers such a packet with an ICMP error. If the error was lost or is switched off, the packet is the only evidence.
    package static let nonGlobalAddress = Rule(
        id: "V6C-012", title: "sends to an IPv4 address that the well-known prefix must not carry",
        advice:
            "Give the host an IPv6 address, or reach it through a NAT64 with a prefix of its network's own (--prefix "
            + "2001:db8:64::/96 tries that).",
        networks: .translated, supersedes: ["V6C-005"]
    ) { examination in
        let run = examination.run
        guard let drop = run.seen.drops.first(where: { $0.reason == .nonGlobalIPv4 }) else { return [] }
        let names = run.names
        let flows: [Observation] = run.seen.flows.compactMap { flow in
            guard flow.unreachable == .prohibited, let address = flow.ipv4Destination else { return nil }
            return Observation(
                names.subject(flow),
                "\(names.farEnd(flow)) stands for \(address), and 64:ff9b::/96 carries no private or other non-global address "
                    + "(RFC 6052 §3.1).")
        }
        return flows.isEmpty ? [Observation(.drop(drop.reason), "\(drop).")] : flows
    }
}
