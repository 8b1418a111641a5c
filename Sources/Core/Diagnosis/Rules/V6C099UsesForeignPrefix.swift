// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Evidence
import Translation
import Wire

extension Rule {
    /// A Pref64 belongs to a network: one that is hard-coded, or kept from another network, has no route.
    package static let usesForeignPrefix = Rule(
        id: "V6C-099", title: "makes IPv6 addresses with a NAT64 prefix that is not this network's",
        advice:
            "Take the addresses that getaddrinfo returns. Who has to make them discovers the prefix on each network anew (ipv4only.arpa, RFC "
            + "7050; RFC 8781).",
        networks: .ipv6Only, isCompared: true, supersedes: ["V6C-003", "V6C-005", "V6C-044"]
    ) { examination in
        let run = examination.run
        let addresses = examination.knownIPv4Addresses
        return run.seen.flows.compactMap { flow -> Observation? in
            guard flow.unreachable == .noRoute, !flow.isInbound, case .ipv6(let remote) = flow.remote,
                !examination.told.contains(flow.remote), let (prefix, address) = embedding(of: remote, addresses)
            else { return nil }
            let name: Statement = examination.name(of: address).map { " (\($0))" } ?? ""
            let statement: Statement =
                "\(remote) (\(service: flow)) stands for \(address)\(name) under \(text: "\(prefix)"), and this network has no such prefix"
            guard let call = examination.attempt(of: flow) else {
                return Observation(run.names.subject(flow), "\(statement).")
            }
            let (attempt, site) = examination.told(call)
            return Observation(run.names.subject(flow), "\(attempt): \(statement).", at: site)
        }
    }
}

extension Examination {
    /// IPv4 addresses that the program can have learnt by itself: from the DNS, or from its flows on dual-stack.
    fileprivate var knownIPv4Addresses: Set<IPv4Address> {
        let synthesised = run.seen.questions.flatMap(\.first.synthesisedFrom)
        let remotes = (control?.seen.flows ?? []).map(\.remote)
        return Set((Array(told) + remotes).compactMap(\.ipv4) + synthesised)
    }

    fileprivate func name(of address: IPv4Address) -> DomainName? {
        let questions = run.seen.questions + (control?.seen.questions ?? [])
        let question = questions.first {
            $0.addresses.contains(.ipv4(address)) || $0.first.synthesisedFrom.contains(address)
        }
        return question?.name
    }
}

/// The prefix under which an address embeds one of these IPv4 addresses, if there is one (RFC 6052 §2.2).
private func embedding(of remote: IPv6Address, _ addresses: Set<IPv4Address>) -> (prefix: Pref64, address: IPv4Address)?
{
    for length in Pref64.lengths.reversed() {
        let network = IPv6Address(bits: remote.bits & ~0 << UInt128(128 - length))
        guard let prefix = IPv6Prefix(network, length: length).flatMap({ try? Pref64($0) }),
            let address = prefix.extract(remote),
            addresses.contains(address), prefix.embed(address) == remote
        else { continue }
        return (prefix, address)
    }
    return nil
}
