// SPDX-License-Identifier: Apache-2.0
import DNSWire

// RFC 1034 §4.3.2, step 3: the data of one zone for a name.

extension Zone {
    enum Step {
        case data([ResourceRecord])
        /// Data from a wildcard.
        case expansion([ResourceRecord])
        /// `proof` is that of the wildcard's expansion, if the alias came from a wildcard.
        case alias([ResourceRecord], DomainName, proof: [ResourceRecord])
        /// RFC 6672 §2.2: the name that results from a DNAME is too long.
        case overflow([ResourceRecord])
        /// Another zone has the data, from this name down.
        case delegated(DomainName)
        case noData
        case wildcardNoData
        case nameError
    }

    /// The deepest name whose data answer for `name`, in the order of `step`: that of a delegation, of a DNAME, its own, that of a
    /// wildcard's parent, or the apex.
    func owner(of name: DomainName) -> DomainName {
        if delegates, let cut = cut(above: name) { return cut }
        if hasDNAME, let owner = dname(above: name)?.sets[.dname]?.first?.name { return owner }
        if let node = nodes[name] { return node.sets.isEmpty ? apex : name }
        guard let wildcard = wildcardName(for: name), nodes[wildcard] != nil else { return apex }
        return wildcard.parent ?? apex
    }

    /// `name` must be in the zone.
    func step(_ name: DomainName, _ type: RecordType, dnssecOK: Bool) -> Step {
        // RFC 4035 §3.1.4.1: a DS record belongs to the delegating zone.
        if delegates, let cut = cut(above: name), type != .ds || cut != name { return .delegated(cut) }
        if hasDNAME, let dname = dname(above: name) { return substitute(dname, in: name, dnssecOK: dnssecOK) }
        if let node = nodes[name] {
            return step(node, type, dnssecOK: dnssecOK) { $0 } ?? .noData
        }
        guard let wildcard = wildcardName(for: name), let node = nodes[wildcard] else { return .nameError }
        // RFC 4592 §3.3.1: records from a wildcard get the name that was asked for.
        let found = step(node, type, dnssecOK: dnssecOK) { records in
            records.map { record in
                var record = record
                record.name = name
                return record
            }
        }
        switch found {
        case .data(let records): return .expansion(records)
        case .alias(let records, let target, _):
            return .alias(records, target, proof: dnssecOK ? proof(that: name, is: .expanded) : [])
        default: return .wildcardNoData
        }
    }

    private func step(
        _ node: Node, _ type: RecordType, dnssecOK: Bool, _ named: ([ResourceRecord]) -> [ResourceRecord]
    ) -> Step? {
        if type == .any {
            let types = node.sets.keys.sorted { $0.rawValue < $1.rawValue }
            let everything = types.flatMap { node.set($0, dnssecOK: dnssecOK) }
            return everything.isEmpty ? nil : .data(named(everything))
        }
        if type == .rrsig, !node.signatures.isEmpty {
            return .data(named(node.signatures.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap(\.value)))
        }
        let data = node.set(type, dnssecOK: dnssecOK)
        if !data.isEmpty { return .data(named(data)) }
        let aliases = node.set(.cname, dnssecOK: dnssecOK)
        if case .cname(let target)? = aliases.first?.data { return .alias(named(aliases), target, proof: []) }
        return nil
    }

    /// RFC 4592 §3.3: the asterisk under the closest ancestor that exists.
    func wildcardName(for name: DomainName) -> DomainName? {
        for encloser in name.ancestors.dropFirst() {
            guard encloser.isSubdomain(of: apex) else { break }
            if nodes[encloser] != nil { return try? encloser.prepending(label: [UInt8(ascii: "*")]) }
        }
        return nil
    }

    // MARK: Delegations (RFC 1034 §4.2.1)

    /// The delegated name at or above `name`; the one nearest the apex, as everything below it is outside the zone.
    private func cut(above name: DomainName) -> DomainName? {
        var found: DomainName?
        for ancestor in name.ancestors {
            if ancestor == apex { break }
            if nodes[ancestor]?.sets[.ns] != nil { found = ancestor }
        }
        return found
    }

    /// The referral to a delegated zone: NS records, whether that zone is signed (RFC 4035 §3.1.4), and the addresses of its servers.
    func referral(to cut: DomainName, dnssecOK: Bool) -> Answer {
        guard let node = nodes[cut] else { return .serverFailure }
        let servers = node.sets[.ns] ?? []
        var authority = servers
        if dnssecOK {
            let signers = node.set(.ds, dnssecOK: true)
            authority += signers.isEmpty ? proof(that: cut, is: .withoutData) : signers
        }
        let glue = servers.flatMap { server -> [ResourceRecord] in
            guard case .ns(let name) = server.data, let node = nodes[name] else { return [] }
            return (node.sets[.a] ?? []) + (node.sets[.aaaa] ?? [])
        }
        return Answer(authority: authority, additional: glue, source: .world)
    }

    // MARK: DNAME (RFC 6672)

    private func dname(above name: DomainName) -> Node? {
        var found: Node?
        for ancestor in name.ancestors.dropFirst() {
            guard ancestor.isSubdomain(of: apex) else { break }
            // The one nearest the apex decides, as no other name exists below it (RFC 6672 §2.4).
            if let node = nodes[ancestor], node.sets[.dname] != nil { found = node }
        }
        return found
    }

    private func substitute(_ node: Node, in name: DomainName, dnssecOK: Bool) -> Step {
        let records = node.set(.dname, dnssecOK: dnssecOK)
        let owner = records[0]
        guard case .dname(let target) = owner.data,
            let alias = try? name.replacing(suffix: owner.name, with: target)
        else { return .overflow(records) }
        // RFC 6672 §3.1: the CNAME that is made from it has its TTL.
        return .alias(
            records + [ResourceRecord(name: name, ttl: owner.ttl, data: .cname(alias))], alias, proof: [])
    }
}
