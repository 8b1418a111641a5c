import DNSWire

/// The NSEC records of a zone (RFC 4034 §4), from which a client that validates sees that something does not exist. A
/// zone without them has nothing to show. NSEC3 is not looked through, because that takes a hash.
struct DenialOfExistence: Sendable {
    /// The owners of NSEC records in canonical order.
    private let owners: [DomainName]

    init(owners: some Sequence<DomainName>) {
        self.owners = owners.sorted { $0.precedesCanonically($1) }
    }

    /// The owner whose NSEC record matches the name, or covers the gap that it is in: the last one not behind it.
    func owner(for name: DomainName) -> DomainName? {
        var (low, high) = (0, owners.count)
        while low < high {
            let middle = (low + high) / 2
            if name.precedesCanonically(owners[middle]) { high = middle } else { low = middle + 1 }
        }
        return low > 0 ? owners[low - 1] : nil
    }
}

extension RecordStore {
    /// The SOA record for a negative answer, and for a client that validates the proof (RFC 4035 §3.1.3).
    func proofOfAbsence(of name: DomainName, apex: DomainName, dnssecOK: Bool) -> [ResourceRecord] {
        guard var soa = zones[apex] else { return [] }
        // RFC 2308 §3: the TTL of the SOA record is the lesser of its own and its MINIMUM.
        if case .soa(let data) = soa.data { soa.ttl = min(soa.ttl, data.minimum) }
        guard dnssecOK else { return [soa] }

        var proof = [soa] + (nodes[apex]?.signatures[.soa] ?? [])
        // The name itself; and where it does not exist, the wildcard that might have stood for it.
        var shown: Set<DomainName> = []
        for name in [name] + [nodes[name] == nil ? wildcardName(for: name, apex: apex) : nil].compactMap(\.self) {
            guard let owner = denials[apex]?.owner(for: name), shown.insert(owner).inserted else { continue }
            proof += signedSet(.nsec, at: owner)
        }
        return proof
    }

    /// The proof that what came from a wildcard has no name of its own (RFC 4035 §3.1.3.3).
    func proofOfExpansion(of name: DomainName, apex: DomainName) -> [ResourceRecord] {
        denials[apex]?.owner(for: name).map { signedSet(.nsec, at: $0) } ?? []
    }

    private func signedSet(_ type: RecordType, at name: DomainName) -> [ResourceRecord] {
        guard let node = nodes[name] else { return [] }
        return (node.sets[type] ?? []) + (node.signatures[type] ?? [])
    }
}
