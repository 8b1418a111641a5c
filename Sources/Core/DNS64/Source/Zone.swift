// SPDX-License-Identifier: Apache-2.0
import DNSWire

/// The contents of one zone, as a tree of names.
///
/// A name without records that has others below it exists and has no data (an empty non-terminal, RFC 4592 §2.2.2), so there
/// is a node for each of a name's ancestors, up to the apex.
struct Zone: Sendable {
    struct Node: Sendable {
        var sets: [RecordType: [ResourceRecord]] = [:]
        /// RRSIG records by the type that they cover.
        var signatures: [RecordType: [ResourceRecord]] = [:]

        /// The records of a type, with their signatures if `dnssecOK`.
        func set(_ type: RecordType, dnssecOK: Bool) -> [ResourceRecord] {
            guard let records = sets[type] else { return [] }
            return dnssecOK ? records + (signatures[type] ?? []) : records
        }
    }

    let apex: DomainName
    /// For negative answers.
    private(set) var soa: ResourceRecord
    private(set) var nodes: [DomainName: Node] = [:]
    /// Whether a look-up must search for a DNAME above a name.
    private(set) var hasDNAME = false
    /// Whether NS records below the apex delegate names (RFC 1034 §4.2.1). In the records of a world they do not: it has no servers to
    /// delegate to.
    let delegates: Bool
    private(set) var denial = Denial.none

    /// - Parameter records: all must be in the zone. A SOA record at the apex replaces the one that is made from
    ///   `negativeTTL`.
    init(_ apex: DomainName, _ records: some Sequence<ResourceRecord>, delegates: Bool, negativeTTL: UInt32) {
        self.apex = apex
        self.delegates = delegates
        soa = Self.syntheticSOA(apex, negativeTTL: negativeTTL)
        insertNode(apex)
        var hashed: [ResourceRecord] = []
        for record in records {
            // RFC 5155 §7.2.8: an NSEC3 record does not make its owner name exist.
            if record.type == .nsec3 || record.coveredType == .nsec3 { hashed.append(record) } else { insert(record) }
        }
        denial = Denial(nodes: nodes, hashed: hashed, parameters: nodes[apex]?.sets[.nsec3param]?.first)
    }

    private mutating func insert(_ record: ResourceRecord) {
        insertNode(record.name)
        if record.type == .soa, record.name == apex { soa = record }
        if record.type == .dname { hasDNAME = true }
        if let covered = record.coveredType {
            nodes[record.name]!.signatures[covered, default: []].append(record)
        } else {
            var set = nodes[record.name]!.sets[record.type] ?? []
            // A set contains a record only once, and has one TTL: the lowest (RFC 2181 §5, §5.2).
            if !set.contains(where: { $0.data == record.data }) { set.append(record) }
            let ttl = set.map(\.ttl).min() ?? record.ttl
            nodes[record.name]!.sets[record.type] = set.map { member in
                var member = member
                member.ttl = ttl
                return member
            }
        }
    }

    /// Makes `name` and its ancestors exist, up to the apex.
    mutating func insertNode(_ name: DomainName) {
        for ancestor in name.ancestors {
            guard ancestor.isSubdomain(of: apex), nodes[ancestor] == nil else { return }
            nodes[ancestor] = Node()
        }
    }

    /// A zone without a SOA record still needs one for its negative answers (RFC 2308 §3). Its form is that of the empty zones of RFC 6303
    /// §3.
    private static func syntheticSOA(_ apex: DomainName, negativeTTL: UInt32) -> ResourceRecord {
        let mailbox = try? DomainName("nobody.invalid.")
        return ResourceRecord(
            name: apex, ttl: negativeTTL,
            data: .soa(
                StartOfAuthority(
                    primary: apex, mailbox: mailbox ?? .root, serial: 1, refresh: 3600, retry: 1200, expire: 604_800,
                    minimum: negativeTTL)))
    }
}

extension ResourceRecord {
    /// The type that an RRSIG record signs (RFC 4034 §3.1.1); nil for other records.
    var coveredType: RecordType? {
        guard case .other(.rrsig, let octets) = data, octets.count >= 2 else { return nil }
        return RecordType(rawValue: UInt16(octets[0]) << 8 | UInt16(octets[1]))
    }
}
