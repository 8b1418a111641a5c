// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Evidence
import Wire

extension Rule {
    /// ::ffff:0:0/96 means IPv4 inside a machine. In an AAAA record it keeps the DNS64 from synthesising, and has no route.
    package static let mappedAddressInDNS = Rule(
        id: "V6C-052", title: "tries an IPv4-mapped address of an AAAA record",
        advice:
            "Take the record out of the zone: IPv4 addresses belong into A records. A client skips addresses of ::ffff:0:0/96 in "
            + "answers; a DNS64 excludes them (RFC 6147 §5.1.4).",
        networks: [.nat64], needs: [.queries],
        supersedes: ["V6C-001", "V6C-003", "V6C-004", "V6C-005", "V6C-006", "V6C-016", "V6C-021", "V6C-044"]
    ) { examination in
        let names = examination.run.names
        let reached = Set(examination.run.seen.flows.filter(\.isAnswered).compactMap { names[$0] })
        return examination.run.seen.questions.compactMap { query -> Observation? in
            guard query.question.type == .aaaa, !reached.contains(query.name), let address = mappedAddress(query)
            else { return nil }
            let fact: Statement = "\(query.name) has \(address) in an AAAA record: on the wire this is IPv4"
            guard let call = examination.calls.attempts.first(where: { $0.address?.ip == address }) else {
                return Observation("\(fact).", about: .name(query.name))
            }
            let (called, site) = examination.told(call)
            return Observation("\(fact). Then \(called).", at: site, about: .name(query.name))
        }.unique
    }
}

/// The first IPv4-mapped address, if there is no other.
private func mappedAddress(_ query: RepeatedQuery) -> IPAddress? {
    let addresses = query.addresses
    return addresses.allSatisfy(isMapped) ? addresses.first : nil
}

private func isMapped(_ address: IPAddress) -> Bool {
    if case .ipv6(let address) = address { address.mapped != nil } else { false }
}
