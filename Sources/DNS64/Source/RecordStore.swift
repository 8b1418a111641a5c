public import DNSWire

/// Records held in memory, and the zones for which they are everything there is.
///
/// A name without records that has others below it exists and has no data (an empty non-terminal, RFC 4592 §2.2.2), so the
/// store has a node for each of a name's ancestors.
public struct RecordStore: Sendable {
    struct Node: Sendable {
        var sets: [RecordType: [ResourceRecord]] = [:]
        /// RRSIG records by the type that they cover.
        var signatures: [RecordType: [ResourceRecord]] = [:]
    }

    /// Zones by their apex, with the SOA record for negative answers.
    private(set) var zones: [DomainName: ResourceRecord] = [:]
    private(set) var nodes: [DomainName: Node] = [:]
    /// Whether names need to be searched for a DNAME above them.
    private(set) var hasDNAME = false
    /// By apex; zones without NSEC records have none.
    private(set) var denials: [DomainName: DenialOfExistence] = [:]
    let source: Answer.Source

    /// - Parameters:
    ///   - zones: The apexes below which a name that is not here does not exist: the root alone for a hermetic world. A
    ///     SOA record among the records makes its owner one more.
    ///   - negativeTTL: How long a name's absence may be remembered, in zones that have no SOA record of their own.
    public init(
        _ records: some Sequence<ResourceRecord>, zones apexes: [DomainName] = [.root], negativeTTL: UInt32 = 300,
        source: Answer.Source = .world
    ) {
        self.source = source
        for apex in apexes {
            zones[apex] = Self.syntheticSOA(apex, negativeTTL: negativeTTL)
            insertNode(apex)
        }
        for record in records { insert(record) }
        let owners = Dictionary(grouping: nodes.filter { $0.value.sets[.nsec] != nil }.keys) { self.apex(for: $0) }
        for (apex, owners) in owners { denials[apex ?? .root] = DenialOfExistence(owners: owners) }
    }

    private mutating func insert(_ record: ResourceRecord) {
        insertNode(record.name)
        if record.type == .soa { zones[record.name] = record }
        if record.type == .dname { hasDNAME = true }
        if let covered = record.coveredType {
            nodes[record.name]!.signatures[covered, default: []].append(record)
        } else {
            var set = nodes[record.name]!.sets[record.type] ?? []
            // A set holds a record once, and has one TTL: the lowest (RFC 2181 §5, §5.2).
            if !set.contains(where: { $0.data == record.data }) { set.append(record) }
            let ttl = set.map(\.ttl).min() ?? record.ttl
            nodes[record.name]!.sets[record.type] = set.map { member in
                var member = member
                member.ttl = ttl
                return member
            }
        }
    }

    private mutating func insertNode(_ name: DomainName) {
        var next: DomainName? = name
        while let ancestor = next, nodes[ancestor] == nil {
            nodes[ancestor] = Node()
            next = ancestor.parent
        }
    }

    /// A zone without a SOA record still needs one for its negative answers (RFC 2308 §3). Its form is that of the empty
    /// zones of RFC 6303 §3.
    private static func syntheticSOA(_ apex: DomainName, negativeTTL: UInt32) -> ResourceRecord {
        let mailbox = try? DomainName("nobody.invalid.")
        return ResourceRecord(
            name: apex, ttl: negativeTTL,
            data: .soa(
                StartOfAuthority(
                    primary: apex, mailbox: mailbox ?? .root, serial: 1, refresh: 3600, retry: 1200, expire: 604_800,
                    minimum: negativeTTL)))
    }

    /// The apex of the innermost zone that `name` lies in.
    func apex(for name: DomainName) -> DomainName? {
        var next: DomainName? = name
        while let ancestor = next {
            if zones[ancestor] != nil { return ancestor }
            next = ancestor.parent
        }
        return nil
    }
}

extension ResourceRecord {
    /// The type that an RRSIG record signs (RFC 4034 §3.1.1), and nil for other records.
    var coveredType: RecordType? {
        guard case .other(.rrsig, let octets) = data, octets.count >= 2 else { return nil }
        return RecordType(rawValue: UInt16(octets[0]) << 8 | UInt16(octets[1]))
    }
}
