// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Suites
import Topology
import Translation
import Wire

extension World {
    /// The world of canaries: a host for each, public hosts that lead to them by names, aliases and redirects, and a NAT64 that translates
    /// private addresses and has a prefix of every length. `CanarySpelling` lists the ways to reach them.
    package static let canaries: World = {
        do throws(WorldFileError) {
            return try World(yaml: Array(canaryText.utf8), name: "canaries")
        } catch {
            preconditionFailure("\(error)")
        }
    }()

    private static let canaryText: String = {
        let domain = Canary.domain
        let metadata = IPv4Address(169, 254, 169, 254)
        let (wellKnown, own) = (Pref64.wellKnown, CanaryPlan.prefixes.last!.prefix)
        let hosts = Canary.allCases.filter(\.isInWorld).map { canary in
            let service = canary == .metadata || canary == .metadata6 ? "metadata" : "http"
            return "  \(canary.name): { addresses: [\"\(canary.address)\"], services: [\(service)] }"
        }
        let replies = CanarySpelling.redirectTargets.flatMap { target in
            CanarySpelling.redirectStatuses.map { status in
                "            /\(status)/\(target.name): { status: \(status), headers: { Location: \"\(target.location)/\(status)/\(target.name)\" } }"
            }
        }
        let ownHosts = CanaryPlan.prefixes.map { prefix, host in
            "  own\(prefix.prefix.length).\(domain): { addresses: [\(host)], services: [http] }"
        }
        let clauses = CanaryPlan.prefixes.map { prefix, host in
            "    - { prefix: \"\(prefix)\", mapped: [\(host), 192.0.0.170/31] }"
        }
        // The A record of each prefix's host is mapped by that prefix only; the name of RFC 7050 by all.
        let others = CanaryPlan.prefixes.map { "\"!\($0.host)\"" }.joined(separator: ", ")
        let records = [
            "alias.metadata.\(domain). CNAME \(Canary.metadata.name).",
            "both.metadata.\(domain). A \(CanaryPlan.publicIPv4)", "both.metadata.\(domain). A \(metadata)",
            "wkp-record.metadata.\(domain). AAAA \(wellKnown.embed(metadata))",
            "own-record.metadata.\(domain). AAAA \(own.embed(metadata))",
            "mapped-record.metadata.\(domain). AAAA ::ffff:\(metadata)", "loopback6.\(domain). AAAA ::1",
            "loopback4.\(domain). A 127.0.0.1", "127.0.0.1.nip.\(domain). A 127.0.0.1",
            "169.254.169.254.nip.\(domain). A \(metadata)", "a9fea9fe.nip.\(domain). A \(metadata)",
        ]
        let rebound: [(name: String, type: String, address: String)] = [
            ("rebind.metadata", "AAAA", "\(wellKnown.embed(metadata))"), ("rebind.loopback", "AAAA", "::1"),
            ("rebind4.metadata", "A", "\(metadata)"), ("rebind4.loopback", "A", "127.0.0.1"),
        ]
        return """
            version: 1
            ttl: 0
            dns64:
              exempt-ipv4: [\(metadata)/32]
              clauses:
                - { prefix: "\(wellKnown)", mapped: [\(others), any] }
            \(clauses.joined(separator: "\n"))
              faults:
            \(rebound.map { "    - \($0.name).\(domain) \($0.type) 2- answer \($0.type) \($0.address)" }.joined(separator: "\n"))
            hosts:
              public.\(domain):
                addresses: [\(CanaryPlan.publicIPv4)]
                services:
                  - http:
                      replies:
            \(replies.joined(separator: "\n"))
              six.\(domain): { addresses: ["\(CanaryPlan.publicIPv6)"], services: [http] }
              proxy.\(domain): { addresses: [\(CanaryPlan.proxy.map { "\"\($0)\"" }.joined(separator: ", "))], services: [proxy] }
            \((hosts + ownHosts).joined(separator: "\n"))
            records:
            \((records + rebound.map { "\($0.name).\(domain). A \(CanaryPlan.publicIPv4)" }).map { "  - \($0)" }.joined(separator: "\n"))
            """
    }()
}
