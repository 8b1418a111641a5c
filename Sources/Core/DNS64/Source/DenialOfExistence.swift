// SPDX-License-Identifier: Apache-2.0
import DNSWire

/// A zone's proofs of non-existence, for clients that validate.
enum Denial: Sendable {
    /// The zone is unsigned and has no proofs.
    case none
    case nsec(NSECChain)
    case nsec3(NSEC3Chain)

    /// - Parameters:
    ///   - hashed: NSEC3 records, and the signatures over them.
    ///   - parameters: the NSEC3PARAM record.
    init(nodes: [DomainName: Zone.Node], hashed: [ResourceRecord], parameters: ResourceRecord?) {
        let owners = nodes.filter { $0.value.sets[.nsec] != nil }.keys
        if let chain = NSEC3Chain(hashed, parameters: parameters) {
            self = .nsec3(chain)
        } else if !owners.isEmpty {
            self = .nsec(NSECChain(owners: owners))
        } else {
            self = .none
        }
    }

    /// The claim about a name that is to be proved (RFC 4035 §3.1.3, RFC 5155 §7.2).
    enum Claim {
        /// It exists, and has no data of the type.
        case withoutData
        /// Neither it nor a wildcard for it exists.
        case absent
        /// It does not exist, and the wildcard for it has no data of the type.
        case wildcardWithoutData
        /// It does not exist, so that the wildcard rightly took its place.
        case expanded
    }
}

/// The NSEC records of a zone (RFC 4034 §4): each names the next owner.
struct NSECChain: Sendable {
    /// In canonical order.
    private let owners: [DomainName]

    init(owners: some Sequence<DomainName>) {
        self.owners = owners.sorted { $0.precedesCanonically($1) }
    }

    /// The owner whose NSEC record matches the name, or covers its gap: the last owner that is not behind the name.
    func owner(for name: DomainName) -> DomainName? {
        var (low, high) = (0, owners.count)
        while low < high {
            let middle = (low + high) / 2
            if name.precedesCanonically(owners[middle]) { high = middle } else { low = middle + 1 }
        }
        return low > 0 ? owners[low - 1] : nil
    }
}

extension Zone {
    /// The SOA record of a negative answer (RFC 2308 §3), with the proof if the client validates.
    func denial(of name: DomainName, _ claim: Denial.Claim, dnssecOK: Bool) -> [ResourceRecord] {
        var soa = soa
        // "The TTL of this record is set from the minimum of the MINIMUM field of the SOA record and the TTL of the SOA itself"
        if case .soa(let data) = soa.data { soa.ttl = min(soa.ttl, data.minimum) }
        guard dnssecOK else { return [soa] }
        return [soa] + (nodes[apex]?.signatures[.soa] ?? []) + proof(that: name, is: claim)
    }

    func proof(that name: DomainName, is claim: Denial.Claim) -> [ResourceRecord] {
        switch denial {
        case .none: []
        case .nsec(let chain): proof(chain, that: name, is: claim)
        case .nsec3(let chain): proof(chain, that: name, is: claim)
        }
    }

    private func proof(_ chain: NSECChain, that name: DomainName, is claim: Denial.Claim) -> [ResourceRecord] {
        var names = [name]
        switch claim {
        case .absent, .wildcardWithoutData: if let wildcard = wildcardName(for: name) { names.append(wildcard) }
        case .withoutData, .expanded: break
        }
        var shown: Set<DomainName> = []
        return names.compactMap(chain.owner).filter { shown.insert($0).inserted }.flatMap { owner in
            nodes[owner]?.set(.nsec, dnssecOK: true) ?? []
        }
    }

    private func proof(_ chain: NSEC3Chain, that name: DomainName, is claim: Denial.Claim) -> [ResourceRecord] {
        let wildcard = wildcardName(for: name)
        var links: [Int?] = []
        switch claim {
        case .withoutData:
            // If opt-out left no record for the name, the encloser's is the proof (RFC 5155 §7.2.4).
            if let link = chain.link(matching: name) {
                links = [link]
            } else {
                links = chain.encloser(of: name, in: apex)
            }
        case .absent:
            links = chain.encloser(of: name, in: apex) + [wildcard.flatMap(chain.link(covering:))]
        case .wildcardWithoutData:
            links = chain.encloser(of: name, in: apex) + [wildcard.flatMap(chain.link(matching:))]
        case .expanded:
            // The wildcard itself proves the encloser: only the next closer name needs a proof (§7.2.6).
            links = [wildcard?.parent.flatMap { name.ancestor(below: $0) }.flatMap(chain.link(covering:))]
        }
        var shown: Set<Int> = []
        return links.compactMap(\.self).filter { shown.insert($0).inserted }.flatMap(chain.records)
    }
}
