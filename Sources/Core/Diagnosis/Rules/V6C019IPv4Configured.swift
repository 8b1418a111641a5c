// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Evidence
import Wire

extension Rule {
    /// AI_ADDRCONFIG leaves out a family of which the machine has no address besides loopback. With an IPv4 literal or with AF_INET nothing
    /// is left, and glibc then sends no question.
    package static let needsIPv4Configured = Rule(
        id: "V6C-019", title: "asks getaddrinfo for IPv4 under AI_ADDRCONFIG, which rules it out",
        severityIfPassing: .warning,
        advice:
            "Use AF_UNSPEC, and leave AI_ADDRCONFIG out for an address and for localhost; AI_NUMERICHOST reads an address as such.",
        adviceByLanguage: [
            .python: "Leave flags=socket.AI_ADDRCONFIG out, and family at 0.",
            .node: "Leave hints: dns.ADDRCONFIG out, and family at 0.",
            .ruby: "Leave Socket::AI_ADDRCONFIG out, and the family at nil.",
            .perl: "Leave AI_ADDRCONFIG out of the hints (IO::Socket::IP: GetAddrInfoFlags => 0).",
        ],
        fittingAdvice: { _, observations in Tool.adviceOnIPv4(for: observations) },
        networks: .ipv6Only, clients: .all, supersedes: ["V6C-003", "V6C-085", "V6C-087", "V6C-089"]
    ) { examination in
        guard examination.gotThroughOnDualStack else { return [] }
        let there = examination.control?.lookups.filter { $0.result == 0 }
        let missed = examination.run.end.isSuccess ? examination.hostsOfDualStackAlone.compactMap(\.name) : nil
        return examination.lookups.compactMap { lookup in
            guard lookup.call == .getaddrinfo, lookup.result != 0, let hints = lookup.hints,
                hints.flags & LookupHints.addressConfigured != 0, let node = lookup.node
            else { return nil }
            // Another literal is a mistake of its own (V6C-001).
            let isLocal = IPv4Address(node).map { IPAddress.ipv4($0).isOfTheMachine }
            guard isLocal ?? (hints.family == LookupHints.ipv4 && IPv6Address(node) == nil) else { return nil }
            // A client that passes may have had no need of it.
            if let missed, (try? DomainName(node)).map(missed.contains) != true { return nil }
            // A call that failed on both networks failed for another reason.
            guard there?.contains(where: { $0.node == lookup.node && $0.hints == lookup.hints }) != false else {
                return nil
            }
            return Observation(
                "\(lookup.site) called getaddrinfo(\"\(text: node)\", \(text: hints.names.joined(separator: " "))): "
                    + "\(text: LookupError.name(lookup.result)), as no interface has an IPv4 address.", at: lookup.site,
                about: IPv4Address(node).map { .address(.ipv4($0)) } ?? (try? DomainName(node)).map(Target.name))
        }.unique
    }
}
