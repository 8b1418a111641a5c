// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Evidence
import Wire

extension Rule {
    /// The kernel refuses an IPv6 address shorter than it requires: 24 octets, the length of RFC 2133's sockaddr_in6.
    package static let shortAddress = Rule(
        id: "V6C-015", title: "passes the length of an IPv4 socket address with an IPv6 one",
        severityIfPassing: .warning,
        advice:
            "Pass the length that belongs to the address: ai_addrlen of getaddrinfo, or sizeof (struct sockaddr_in6).",
        adviceByLanguage: [
            .swift: "Pass ai_addrlen, or MemoryLayout<sockaddr_in6>.size, and not the size of sockaddr or sockaddr_in.",
            .rust: "Pass ai_addrlen, or size_of::<sockaddr_in6>(); std::net and socket2 do it by themselves.",
        ],
        networks: .ipv6Only, clients: .all,
        supersedes: ["V6C-003", "V6C-005", "V6C-016", "V6C-017", "V6C-086", "V6C-087"]
    ) { examination in
        let reached = ReachedHosts(examination.run.seen)
        return examination.calls.own.filter(isTooShort).compactMap { call in
            // It made up for that.
            if examination.run.end.isSuccess, call.address?.ip.map({ reached.contains([$0]) }) == true { return nil }
            let (statement, site) = examination.told(call)
            let name = call.address?.ip?.ipv6.flatMap(examination.name(withBeginning:))
            return Observation(
                "\(statement): a sockaddr_in6 has 28 octets.", at: site,
                about: name.map(Target.name) ?? call.address?.ip.map(Target.address))
        }
    }
}

extension Examination {
    /// The name whose address has the first eight octets of this one: a socket address of 16 octets has no more.
    fileprivate func name(withBeginning address: IPv6Address) -> DomainName? {
        run.seen.questions.first { query in
            query.addresses.compactMap(\.ipv6).contains { $0.bits >> 64 == address.bits >> 64 }
        }?.name
    }
}

/// Whether the kernel refused an IPv6 address because of its length (ipv6(7): at least 24 octets).
private func isTooShort(_ call: TracedCall) -> Bool {
    guard call.error == .invalid, let address = call.address?.ip, case .ipv6 = address else { return false }
    return call.addressLength.map { $0 < 24 } ?? false
}
