// SPDX-License-Identifier: Apache-2.0
import Text
import DNS64
import DNSWire

/// Reads the tree of a world file into declarations, and continues after a mistake to find the others.
///
///     version: 1
///     ttl: 300                  # of every record without its own; optional
///     hosts:                    # name: host (`HostSection.swift`)
///     records:                  # list of records in presentation format (`RecordSection.swift`)
///     zones:                    # list of zone files (`ZoneSection.swift`)
///     forwarders:               # list of servers that know the other names (`ForwarderSection.swift`)
///     dnssec:                   # whether answers are validated (`DNSSECSection.swift`)
///     dns64:                    # how queries are answered (`DNS64Section.swift`)
struct WorldFileReader: YAMLReader {
    /// Seconds, if the file has no `ttl`.
    static let defaultTTL: UInt32 = 300

    let files: NamedFiles
    var problems: [YAMLFileError.Problem] = []
    private(set) var hosts: [HostDeclaration] = []
    private(set) var records: [Located<ResourceRecord>] = []
    private(set) var zones: [Located<World.Zone>] = []
    private(set) var forwarders: ForwarderConfiguration?
    private(set) var validation: Validation?
    private(set) var dns64 = DNS64Settings()

    init(files: NamedFiles) {
        self.files = files
    }

    mutating func read(_ root: YAMLNode?) {
        guard
            let fields = versionedFields(
                root, of: "a world file", named: ["ttl", "hosts", "records", "zones", "forwarders", "dnssec", "dns64"],
                contents: "hosts and records")
        else { return }
        let ttl = fields["ttl"].map { readTTL($0) } ?? Self.defaultTTL
        if let section = fields["hosts"] { hosts = readHosts(section, defaultTTL: ttl) }
        if let section = fields["records"] { records = readRecords(section, defaultTTL: ttl) }
        if let section = fields["zones"] { zones = readZones(section, defaultTTL: ttl) }
        forwarders = fields["forwarders"].flatMap { readForwarders($0) }
        validation = fields["dnssec"].flatMap { readDNSSEC($0, files) }
        if let section = fields["dns64"] {
            var reader = DNS64SectionReader()
            dns64 = reader.read(section)
            problems += reader.problems
        }
    }

    mutating func readTTL(_ node: YAMLNode) -> UInt32 {
        if case .scalar(let text) = node.content, let ttl = decimalNumber(text), let seconds = UInt32(exactly: ttl),
            seconds <= ResourceRecord.maximumTTL
        {
            return seconds
        }
        report(
            "a ttl must be a number of seconds from 0 to \(ResourceRecord.maximumTTL), not \(node.kindDescription)",
            at: node.position)
        return Self.defaultTTL
    }
}
