// SPDX-License-Identifier: Apache-2.0
import DNSWire

/// The contents of a zone file, as one zone: it has one SOA record, and no records outside the zone.
struct ZoneContents {
    /// The mistakes in a zone file, each with its line first: `:12: message`.
    struct Failure: Error, Equatable {
        var problems: [String]
    }

    static let maximumOctets = 1 << 26
    /// RFC 9276 §3.1 wants none, and validators treat a zone with more than this as unsigned; each costs time at every negative answer.
    static let maximumIterations = 500

    let apex: DomainName
    let records: [ResourceRecord]

    init(_ path: String, of files: NamedFiles, origin: DomainName, defaultTTL: UInt32) throws(Failure) {
        let octets: [UInt8]
        do throws(YAMLFileError) {
            octets = try files.contents(of: path, maximum: Self.maximumOctets)
        } catch {
            throw Failure(problems: error.problems.map { ": \($0.message)" })
        }
        if octets.count > Self.maximumOctets {
            throw Failure(problems: [": the file is larger than \(Self.maximumOctets) octets, the most a zone may have"]
            )
        }
        try self.init(String(decoding: octets, as: UTF8.self), origin: origin, defaultTTL: defaultTTL)
    }

    init(_ text: String, origin: DomainName, defaultTTL: UInt32) throws(Failure) {
        let file = ZoneFile(reading: text, origin: origin, defaultTTL: defaultTTL, maximumFailures: maximumProblems)
        let unreadable = file.failures.map { ":\($0.line): \($0.reason)" }
        let authorities = file.records.indices.filter { file.records[$0].type == .soa }
        guard let first = authorities.first else {
            // An unreadable line may have been the SOA record.
            let missing = ": there is no SOA record, which says what the zone is called"
            throw Failure(problems: unreadable.isEmpty ? [missing] : unreadable)
        }
        apex = file.records[first].name
        records = file.records
        var problems =
            unreadable
            + authorities.dropFirst().map {
                ":\(file.lines[$0]): a zone has one SOA record, and there is one in line \(file.lines[first]) already"
            }
        var aliases: Set<DomainName> = []
        for record in records where record.type == .cname { aliases.insert(record.name) }
        for (record, line) in zip(records, file.lines) {
            if let objection = Self.objection(to: record, apex: apex, aliases: aliases) {
                problems.append(":\(line): \(objection)")
            }
        }
        if !problems.isEmpty { throw Failure(problems: Array(problems.prefix(maximumProblems))) }
    }

    private static func objection(
        to record: ResourceRecord, apex: DomainName, aliases: Set<DomainName>
    ) -> String? {
        if record.recordClass != .internet {
            return "a record of class \(record.recordClass) is never asked for here: write IN"
        }
        if !record.name.isSubdomain(of: apex) {
            return "\(record.name) lies outside the zone \(apex): put it into a zone of its own"
        }
        // RFC 4034 §3, §4: only signatures and NSEC records may have the same name as an alias.
        if aliases.contains(record.name), ![.cname, .rrsig, .nsec].contains(record.type) {
            return "\(record.name) is an alias and can have no \(record.type) record"
        }
        if case .other(let type, let octets) = record.data, type == .nsec3 || type == .nsec3param,
            octets.count >= 4, case let iterations = Int(octets[2]) << 8 | Int(octets[3]),
            iterations > maximumIterations
        {
            return
                "\(iterations) iterations are more than the \(maximumIterations) that are hashed here (RFC 9276 §3.1: none)"
        }
        return nil
    }
}
