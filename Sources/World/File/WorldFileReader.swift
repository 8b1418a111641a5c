import DNSWire

/// Reads the tree of a world file into declarations, and goes on behind a mistake to find the others.
///
///     version: 1
///     ttl: 300                  # of every record that does not have its own; may be missing
///     hosts:                    # name: host (`HostSection.swift`)
///     records:                  # list of records in presentation format (`RecordSection.swift`)
struct WorldFileReader {
    static let version = "1"
    /// Seconds, where the file does not say.
    static let defaultTTL: UInt32 = 300

    private(set) var problems: [WorldFileError.Problem] = []
    private(set) var hosts: [HostDeclaration] = []
    private(set) var records: [Located<ResourceRecord>] = []

    mutating func report(_ message: String, at position: SourcePosition) {
        if problems.count < WorldFileLimits.problems {
            problems.append(WorldFileError.Problem(position: position, message: message))
        }
    }

    mutating func read(_ root: YAMLNode?) {
        let start = SourcePosition(line: 1, column: 1)
        guard let root, let entries = map(root, whatItIs: "a world file", example: "version: 1") else {
            if root == nil { report("the file is empty: write version: 1, then hosts and records", at: start) }
            return
        }
        // Another version may give every other word another meaning.
        guard let version = entries.first(where: { $0.key.isText("version") })?.value else {
            return report("the version is missing: write version: \(Self.version) as the first line", at: root.position)
        }
        guard version.isText(Self.version) else {
            return report(
                "this program reads version: \(Self.version), not \(version.kindDescription)", at: version.position)
        }

        let fields = fields(entries, of: "a world file", named: ["version", "ttl", "hosts", "records"])
        let ttl = fields["ttl"].map { readTTL($0) } ?? Self.defaultTTL
        if let section = fields["hosts"] { hosts = readHosts(section, defaultTTL: ttl) }
        if let section = fields["records"] { records = readRecords(section, defaultTTL: ttl) }
    }

    // MARK: Shapes

    /// The entries of a map; reports anything else. Nothing at all is an empty map.
    mutating func map(_ node: YAMLNode, whatItIs: String, example: String) -> [YAMLNode.Entry]? {
        switch node.content {
        case .map(let entries): return entries
        case .scalar(""): return []
        default:
            report("\(whatItIs) is a map, such as \(example), not \(node.kindDescription)", at: node.position)
            return nil
        }
    }

    /// The entries by their keys, for a map whose keys are known; reports all other keys.
    mutating func fields(
        _ entries: [YAMLNode.Entry], of owner: String, named names: [String]
    ) -> [String: YAMLNode] {
        var fields: [String: YAMLNode] = [:]
        for entry in entries {
            if case .scalar(let key) = entry.key.content, names.contains(key) {
                fields[key] = entry.value
                continue
            }
            let suggestion =
                if case .scalar(let key) = entry.key.content, let nearest = nearestWord(to: key, among: names) {
                    "did you mean \(nearest)?"
                } else {
                    "\(owner) has \(enumerated(names))"
                }
            report("\(entry.key.kindDescription) is no key here: \(suggestion)", at: entry.key.position)
        }
        return fields
    }

    /// The items of a list; what is no list is the only item of one, and nothing at all is an empty one.
    func items(_ node: YAMLNode) -> [YAMLNode] {
        switch node.content {
        case .list(let items): items
        case .scalar(""): []
        default: [node]
        }
    }

    mutating func readTTL(_ node: YAMLNode) -> UInt32 {
        if case .scalar(let text) = node.content, let ttl = decimalNumber(text), let seconds = UInt32(exactly: ttl),
            seconds <= ResourceRecord.longestTTL
        {
            return seconds
        }
        report(
            "a ttl is a number of seconds from 0 to \(ResourceRecord.longestTTL), not \(node.kindDescription)",
            at: node.position)
        return Self.defaultTTL
    }
}

extension YAMLNode {
    func isText(_ text: String) -> Bool {
        if case .scalar(text) = content { true } else { false }
    }
}
