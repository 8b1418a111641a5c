// SPDX-License-Identifier: Apache-2.0
package import DNSWire

/// Records held in memory, and the zones for which they are complete.
package struct RecordStore: Sendable {
    /// The zones by their apex.
    private(set) var zones: [DomainName: Zone] = [:]
    /// Whether there is an apex with so many octets, by which most ancestors of a name need no look-up.
    private var hasApex = [Bool](repeating: false, count: DomainName.maximumNameLength + 1)
    /// The names above those zones.
    private var namesAbove: Set<DomainName> = []
    let source: Answer.Source

    /// - Parameters:
    ///   - zones: the apexes below which names without records here do not exist: the root alone for a hermetic world.
    ///     A SOA record among the records makes its owner one more.
    ///   - negativeTTL: seconds for which the absence of a name may be cached, in zones without a SOA record of their own.
    package init(
        _ records: [ResourceRecord], zones apexes: [DomainName] = [.root], negativeTTL: UInt32 = 300,
        source: Answer.Source = .world
    ) {
        self.source = source
        let apexes = Set(apexes + records.filter { $0.type == .soa }.map(\.name))
        // A record outside all zones is never found, and is not stored.
        let contents = Dictionary(grouping: records) { $0.name.closestAncestor(in: apexes) }
        for apex in apexes {
            insert(Zone(apex, contents[apex] ?? [], delegates: false, negativeTTL: negativeTTL), at: apex)
        }
        for apex in apexes { reveal(apex) }
    }

    /// Adds a zone with all of its records: its names have no others here, and those that it delegates belong to another server.
    package mutating func add(zone apex: DomainName, _ records: some Sequence<ResourceRecord>) {
        insert(Zone(apex, records, delegates: true, negativeTTL: 0), at: apex)
        reveal(apex)
    }

    private mutating func insert(_ zone: Zone, at apex: DomainName) {
        zones[apex] = zone
        hasApex[apex.wire.count] = true
    }

    /// Makes the names above an apex exist, in a zone that does not declare its own delegations.
    private mutating func reveal(_ apex: DomainName) {
        for name in apex.ancestors.dropFirst() {
            if !namesAbove.insert(name).inserted { break }
        }
        if let encloser = apex.parent.flatMap(self.apex(for:)), zones[encloser]?.delegates == false {
            zones[encloser]?.insertNode(apex)
        }
    }

    /// Whether a zone is below the name, so that the name exists (RFC 8020 §2).
    func isAbove(_ name: DomainName) -> Bool { namesAbove.contains(name) }

    /// For a name below `ip6.arpa`: the name whose records answer for it (`Zone.owner`). `nil` for other names, and outside all zones.
    func reverseOwner(of name: DomainName) -> DomainName? {
        guard name.isSubdomain(of: ReverseName.ipv6Zone), let apex = apex(for: name) else { return nil }
        return zones[apex]?.owner(of: name)
    }

    /// The apex of the innermost zone that contains `name`.
    func apex(for name: DomainName) -> DomainName? {
        name.closestAncestor(mayHave: { hasApex[$0] }, isWanted: { zones[$0] != nil })
    }

    /// The zone that answers for records of a type: for DS records the delegating one (RFC 4035 §3.1.4.1), if it is here.
    func zone(for name: DomainName, _ type: RecordType) -> Zone? {
        let above = type == .ds ? name.parent.flatMap(apex(for:)) : nil
        return (above ?? apex(for: name)).flatMap { zones[$0] }
    }
}

extension DomainName {
    fileprivate func closestAncestor(in names: Set<DomainName>) -> DomainName? {
        ancestors.first(where: names.contains)
    }
}
