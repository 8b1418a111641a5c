// SPDX-License-Identifier: Apache-2.0
import Evidence
import Wire

extension Rule {
    /// Behind a prefix of the network's own, an address that looks like a public one may belong to a private host. A guard that looks at
    /// the IPv6 address lets it pass.
    package static let reachesPrivateHost = Rule(
        id: "V6C-043", title: "reaches a private IPv4 host through the NAT64", severity: .warning,
        advice:
            "Where addresses are checked before they are used (against server-side request forgery), take the embedded IPv4 address out "
            + "of those below the network's prefixes and below 64:ff9b::/96 and 64:ff9b:1::/48 (RFC 6052 §2.2), and check that.",
        networks: [.nat64], clients: .all
    ) { examination in
        let names = examination.run.names
        return examination.run.seen.flows.compactMap { flow in
            guard case .translated(let address) = flow.route, flow.isAnswered, address.isPrivate else { return nil }
            return Observation(
                names.subject(flow), "\(names.farEnd(flow)) stands for \(address), an address of a private network.")
        }
    }
}

extension IPv4Address {
    /// Ranges of private networks: RFC 1918, RFC 3927 and RFC 6598.
    fileprivate var isPrivate: Bool {
        bits >> 24 == 10 || bits >> 20 == 0xac1 || bits >> 16 == 0xc0a8 || bits >> 16 == 0xa9fe || bits >> 22 == 0x191
    }
}
