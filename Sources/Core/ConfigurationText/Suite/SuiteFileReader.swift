// SPDX-License-Identifier: Apache-2.0
import Evidence
import Suites
import Text
import Topology

/// Reads the tree of a suite file, and continues after a mistake to find the others.
///
///     version: 1
///     name: shop                # of the suite, in reports
///     world: ci/world.yaml      # a world file; the demo world, if missing
///     baseline: ci/baseline.txt
///     networks: [nat64]         # of tests without networks of their own
///     groups:                   # name: how many cases at a time
///     defaults:                 # of all tests (`TestSection.swift`)
///     servers:                  # name: a program (`ServerSection.swift`)
///     tests:                    # list of tests (`TestSection.swift`)
struct SuiteFileReader: YAMLReader {
    /// The numbers of all rules.
    let rules: [String]
    var problems: [YAMLFileError.Problem] = []
    /// Limits of the groups, by name.
    var groups: [String: Int] = [:]
    /// Servers, by name.
    var servers: [String: DeclaredServer] = [:]

    /// Limits of a suite file.
    static let testLimit = 10_000
    /// Maximum octets of a sequence of networks as part of a case's name. With a test's name of up to 100 they are a folder's name, for
    /// which the kernel allows 255 (NAME_MAX).
    static let networkLimit = 150

    static let keys = ["name", "world", "baseline", "networks", "groups", "defaults", "servers", "tests"]

    init(rules: [String]) {
        self.rules = rules
    }

    mutating func read(_ root: YAMLNode?) -> Suite? {
        guard
            let fields = versionedFields(
                root, of: "a suite file", named: Self.keys, contents: "tests")
        else { return nil }
        let name = fields["name"].flatMap { readName($0, of: "a suite") } ?? "suite"
        let world = fields["world"].flatMap { text($0, "world", example: "ci/world.yaml") }
        let baseline = fields["baseline"].flatMap { text($0, "baseline", example: "ci/ipv6-baseline.txt") }
        groups = fields["groups"].map { readGroups($0) } ?? [:]
        var pattern = SuiteTest(name: "", command: .words([]))
        if let networks = fields["networks"].map({ readNetworks($0) }) { pattern.networks = networks }
        if let defaults = fields["defaults"] { readDefaults(defaults, into: &pattern) }
        if let node = fields["servers"] { readServers(node) }
        guard let list = fields["tests"] else {
            report("there are no tests: write tests: [\(Self.testExample)]", at: root?.position ?? Self.start)
            return nil
        }
        let tests = readTests(list, from: pattern)
        return Suite(name: name, world: world, baseline: baseline, tests: tests, groups: groups)
    }

    static let testExample = "{ name: fetch, command: [./shop, fetch] }"
    private static let start = SourcePosition(line: 1, column: 1)

    private mutating func readTests(_ node: YAMLNode, from pattern: SuiteTest) -> [SuiteTest] {
        guard case .list(let items) = node.content, !items.isEmpty else {
            report(
                "tests must be a list, such as - \(Self.testExample), not \(node.kindDescription)", at: node.position)
            return []
        }
        if items.count > Self.testLimit {
            report("a suite has at most \(Self.testLimit) tests", at: node.position)
            return []
        }
        var lines: [String: Int] = [:]
        return items.flatMap { item -> [SuiteTest] in
            guard let (test, all) = readTest(item, from: pattern) else { return [] }
            if let line = lines.updateValue(test.line, forKey: test.name), !test.name.isEmpty {
                report(
                    "the name \(test.name) is taken by the test in line \(line): give each test its own",
                    at: item.position)
            }
            return all
        }
    }

    private mutating func readGroups(_ node: YAMLNode) -> [String: Int] {
        guard let entries = map(node, whatItIs: "groups", example: "{ licence-server: 1 }") else { return [:] }
        var groups: [String: Int] = [:]
        for entry in entries {
            guard let name = readName(entry.key, of: "a group") else { continue }
            groups[name] = number(entry.value, "the limit of the group \(name)", in: 1...1000) ?? 1
        }
        return groups
    }

    // MARK: - Values

    /// Names are parts of file names, of XML and of lines with blanks.
    mutating func readName(_ node: YAMLNode, of owner: String) -> String? {
        if case .scalar(let name) = node.content, (1...100).contains(name.utf8.count),
            name.utf8.allSatisfy({ octet in
                switch octet {
                case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
                default: "-_.+".utf8.contains(octet)
                }
            }), name.utf8.first != UInt8(ascii: "-"), name != ".", name != ".."
        {
            return name
        }
        report(
            "the name of \(owner) has up to 100 letters, digits, -, _, . and +, such as fetch-items, not \(node.kindDescription)",
            at: node.position)
        return nil
    }

    mutating func readNetworks(_ node: YAMLNode) -> [NetworkSchedule] {
        var networks: [NetworkSchedule] = []
        for item in items(node) {
            guard let network = readNetwork(item) else { continue }
            if networks.contains(network) {
                report("\(network) stands in the list already: keep one", at: item.position)
            } else {
                networks.append(network)
            }
        }
        if items(node).isEmpty {
            report("there must be a network, such as [nat64]", at: node.position)
        }
        return networks
    }

    /// One network, or a sequence: `dual-stack 5s, none 1s, nat64`.
    private mutating func readNetwork(_ node: YAMLNode) -> NetworkSchedule? {
        guard case .scalar(let text) = node.content, text.contains(where: { $0 == "," || $0.isWhitespace }) else {
            return choice(node, "a network", Network.allCases.map { (word: $0.rawValue, NetworkSchedule($0)) })
        }
        do throws(NetworkSchedule.Mistake) {
            let network = try NetworkSchedule(text)
            let length = network.name.utf8.count
            if length <= Self.networkLimit { return network }
            report(
                "networks that follow each other are part of file names, with \(Self.networkLimit) octets at most, and these have "
                    + "\(length) (\(network.name.prefix(30))…); leave some out", at: node.position)
            return nil
        } catch {
            // In YAML, [dual-stack 5s, nat64] is a list of two.
            let hint =
                if case .needlessTime = error { "; what the client comes to after it stands with it in quotes" } else {
                    ""
                }
            report("\(error)\(hint)", at: node.position)
            return nil
        }
    }
}
