public import DNSWire

// RFC 1034 §4.3.2, as one who knows all zones does it: aliases are followed wherever they lead.

extension RecordStore {
    /// Aliases that are followed before a chain counts as a loop.
    public static let longestChain = 16

    /// How far the store's knowledge reaches.
    public enum LookUpResult: Hashable, Sendable {
        case complete(Answer)
        /// The name lies in none of the store's zones, or these aliases lead to one that does not; or the class is not IN.
        case outside(chain: [ResourceRecord], next: DomainName)
    }

    /// - Parameter dnssecOK: Whether signatures and proofs of absence are wanted (RFC 4035 §3.1).
    public func lookUp(_ question: Question, dnssecOK: Bool = false) -> LookUpResult {
        var chain: [ResourceRecord] = []
        var name = question.name
        guard question.recordClass == .internet || question.recordClass == .any else {
            return .outside(chain: [], next: name)
        }
        for _ in 0...Self.longestChain {
            guard let apex = apex(for: name) else { return .outside(chain: chain, next: name) }
            switch step(name, question.type, apex: apex, dnssecOK: dnssecOK) {
            case .data(let records):
                return .complete(Answer(answer: chain + records, source: source))
            case .expansion(let records):
                let proof = dnssecOK ? proofOfExpansion(of: name, apex: apex) : []
                return .complete(Answer(answer: chain + records, authority: proof, source: source))
            case .alias(let records, let target):
                chain += records
                name = target
            case .overflow(let records):
                // RFC 6672 §2.2: the name that a DNAME makes is too long.
                return .complete(Answer(.nameShouldNotExist, answer: chain + records, source: source))
            case .noData:
                let proof = proofOfAbsence(of: name, apex: apex, dnssecOK: dnssecOK)
                return .complete(Answer(answer: chain, authority: proof, source: source))
            case .nameError:
                let proof = proofOfAbsence(of: name, apex: apex, dnssecOK: dnssecOK)
                return .complete(Answer(.nameError, answer: chain, authority: proof, source: source))
            }
        }
        // RFC 1034 §5.2.2: loops are caught, and signalled as an error.
        return .complete(Answer(.serverFailure, source: source))
    }

    private enum Step {
        case data([ResourceRecord])
        /// Data of a wildcard.
        case expansion([ResourceRecord])
        case alias([ResourceRecord], DomainName)
        case overflow([ResourceRecord])
        case noData
        case nameError
    }

    private func step(_ name: DomainName, _ type: RecordType, apex: DomainName, dnssecOK: Bool) -> Step {
        if hasDNAME, let dname = dnameAbove(name, apex: apex) { return substitute(dname, in: name, dnssecOK: dnssecOK) }
        guard let node = nodes[name] ?? wildcardName(for: name, apex: apex).flatMap({ nodes[$0] }) else {
            return .nameError
        }

        func set(_ type: RecordType) -> [ResourceRecord]? {
            guard var records = node.sets[type] else { return nil }
            if dnssecOK { records += node.signatures[type] ?? [] }
            // RFC 4592 §3.3.1: what a wildcard yields has the name that was asked for.
            if records[0].name.isWildcard, !name.isWildcard {
                for index in records.indices { records[index].name = name }
            }
            return records
        }

        if type == .any {
            let everything = node.sets.keys.sorted { $0.rawValue < $1.rawValue }.flatMap { set($0) ?? [] }
            return everything.isEmpty ? .noData : .data(everything)
        }
        if type == .rrsig, !node.signatures.isEmpty {
            return .data(node.signatures.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap(\.value))
        }
        if let records = set(type) { return nodes[name] == nil ? .expansion(records) : .data(records) }
        if let records = set(.cname), case .cname(let target) = records[0].data { return .alias(records, target) }
        return .noData
    }

    /// RFC 4592 §3.3: the asterisk under the closest ancestor that exists.
    func wildcardName(for name: DomainName, apex: DomainName) -> DomainName? {
        var next = name.parent
        while let encloser = next, encloser.isSubdomain(of: apex) {
            if nodes[encloser] != nil { return try? encloser.prepending(label: [UInt8(ascii: "*")]) }
            next = encloser.parent
        }
        return nil
    }

    // MARK: DNAME (RFC 6672)

    private func dnameAbove(_ name: DomainName, apex: DomainName) -> (set: [ResourceRecord], node: Node)? {
        var next = name.parent
        var found: (set: [ResourceRecord], node: Node)?
        while let ancestor = next, ancestor.isSubdomain(of: apex) {
            // The one nearest the apex decides, for below it nothing else exists (RFC 6672 §2.4).
            if let node = nodes[ancestor], let set = node.sets[.dname] { found = (set, node) }
            next = ancestor.parent
        }
        return found
    }

    private func substitute(
        _ dname: (set: [ResourceRecord], node: Node), in name: DomainName, dnssecOK: Bool
    ) -> Step {
        let owner = dname.set[0]
        let records = dnssecOK ? dname.set + (dname.node.signatures[.dname] ?? []) : dname.set
        guard case .dname(let target) = owner.data,
            let alias = try? name.replacing(suffix: owner.name, with: target)
        else { return .overflow(records) }
        // RFC 6672 §3.1: the CNAME that goes with it has its TTL.
        return .alias(records + [ResourceRecord(name: name, ttl: owner.ttl, data: .cname(alias))], alias)
    }
}
