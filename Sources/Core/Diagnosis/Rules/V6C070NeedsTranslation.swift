// SPDX-License-Identifier: Apache-2.0
import Evidence

extension Rule {
    /// An IPv4-only service is out of reach without translation, even for a correct client.
    package static let needsTranslation = Rule(
        id: "V6C-070", title: "needs a host that has no IPv6 address",
        advice:
            "Give the service an IPv6 address and an AAAA record. Until then the client needs a network with DNS64 and NAT64 "
            + "(--network nat64), or with IPv4.",
        networks: [.strict, .strictNoLoopback4], needs: [.queries, .flows], supersedes: ["V6C-005", "V6C-007"]
    ) { examination in
        examination.hostsWithoutIPv6.map { name, flow in
            Observation(
                "\(name) has no AAAA record; on dual-stack it went to \(flow.remote) (\(service: flow)).",
                about: .name(name))
        }
    }
}
