// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Evidence
import Wire

extension Rule {
    /// Without a DNS64, a client has to find the NAT64's prefix and synthesise by itself (RFC 7050 §3, RFC 8305 §7).
    package static let needsDNS64 = Rule(
        id: "V6C-073", title: "needs a DNS64",
        advice:
            "Have the system synthesise, by getaddrinfo where it does (Apple's), or find the prefix by ipv4only.arpa (RFC 7050) and make "
            + "the address from it and the A record. With a CLAT the system does it for every program (--network nat64+clat).",
        networks: [.nat64NoDNS64], needs: [.queries, .flows], supersedes: ["V6C-005", "V6C-007"]
    ) { examination in
        let questions = examination.run.seen.questions
        let foundPrefix = questions.contains {
            $0.name == IPv4OnlyName.name && $0.question.type == .aaaa && !$0.addresses.isEmpty
        }
        let reached = Set(examination.run.seen.flows.compactMap(\.ipv4Destination))
        return examination.hostsWithoutIPv6.compactMap { name, flow in
            // The client used an address that it made itself, and failed for another reason.
            if let host = flow.remote.ipv4, reached.contains(host) { return nil }
            let prefix: Statement =
                foundPrefix
                ? "It found the prefix by \(IPv4OnlyName.name), and made no address with it."
                : "It did not ask for the prefix (\(IPv4OnlyName.name))."
            return Observation(
                "\(name) has no AAAA record, and on dual-stack it went to \(flow.remote) (\(service: flow)). \(prefix)",
                about: .name(name))
        }
    }
}
