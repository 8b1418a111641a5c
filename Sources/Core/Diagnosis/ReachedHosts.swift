// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Evidence
import Translation
import Wire

/// The hosts that a client went to, with all addresses and names that the DNS gave for each. Made once for many names.
struct ReachedHosts {
    /// The addresses of these hosts, if there was a flow to any of them.
    private var addresses: Set<IPAddress> = []

    /// - Parameter counts: whether a flow counts.
    init(_ seen: NetworkEvidence, where counts: (Flow) -> Bool = { _ in true }) {
        for flow in seen.flows where !flow.isInbound && counts(flow) {
            addresses.insert(flow.remote)
            // Its address behind the NAT64, and the IPv4 address from which getaddrinfo may have synthesised it.
            if let address = flow.ipv4Destination { addresses.insert(.ipv4(address)) }
        }
        // A proxy went there for it; a client of SOCKS 4 gives it an IPv4 address, whatever the network is.
        for request in seen.connections.compactMap(\.proxied) where request.result == .connected {
            if let address = IPAddress(request.host) { addresses.insert(address) }
            if let name = try? DomainName(request.host) { addresses.formUnion(seen.addresses(of: name)) }
        }
        // A host may have other names, with other addresses each.
        let names = Dictionary(grouping: seen.questions, by: \.name).mapValues { Set($0.flatMap(\.addresses)) }
        for known in names.values where !known.isDisjoint(with: addresses) { addresses.formUnion(known) }
    }

    func contains(_ host: [IPAddress]) -> Bool { host.contains(where: addresses.contains) }
}

extension Examination {
    /// Hosts to which the client did not go after it asked for A records alone, each with the question and its place in the client.
    var missedHosts: [(name: DomainName, asked: Statement, site: CallSite?)] {
        if run.seen.mayLackQuestions { return [] }
        let askedForIPv6 = run.seen.namesAskedForIPv6
        let reached = ReachedHosts(run.seen)
        let missed = run.seen.questions.filter { query in
            query.question.type == .a && query.isFaultless && !askedForIPv6.contains(query.name) && query.leadsToHost
                && !reached.contains(query.addresses)
        }
        return (missed.map(\.name) + namesNotAsked).unique.map { name in
            let (asked, site) = placedLookupForIPv4Only(of: name)
            return (name, asked, site)
        }
    }
}

extension Examination {
    /// Names that getaddrinfo was to look up for IPv4 alone and did not, as the machine has no IPv4 address (AI_ADDRCONFIG, RFC 3493 §6.1).
    private var namesNotAsked: [DomainName] {
        let asked = Set(run.seen.questions.map(\.name))
        return run.lookups.compactMap { lookup in
            guard lookup.call == .getaddrinfo, lookup.isIPv4Only, lookup.result != 0,
                lookup.hints.map({ $0.flags & LookupHints.addressConfigured != 0 }) == true,
                let node = lookup.node, IPAddress(node) == nil, let name = try? DomainName(node), !name.isRoot,
                !asked.contains(name)
            else { return nil }
            return name
        }
    }
}

extension NetworkEvidence {
    /// Whether the network may have lost questions on their way to the DNS because of configured faults.
    fileprivate var mayLackQuestions: Bool {
        let isLossy = conditions.map { $0.up.lost + $0.up.queueFull + $0.up.corrupted > 0 } ?? false
        return isLossy || drops.contains { $0.reason == .faultBlackHole }
    }
}

extension RepeatedQuery {
    /// Whether the answer has the address of a host. Lists of addresses (DNSBL, RFC 5782 §2.1) answer with 127.0.0.0/8, and ipv4only.arpa
    /// is no host (RFC 7050).
    var leadsToHost: Bool {
        isForAddress && name != IPv4OnlyName.name
            && addresses.contains { address in
                switch address {
                case .ipv4(let address): !address.isIllegal
                case .ipv6(let address): !address.isIllegalSource
                }
            }
    }
}
