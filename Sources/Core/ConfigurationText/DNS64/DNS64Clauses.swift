// SPDX-License-Identifier: Apache-2.0
import DNS64
import Text
import Translation
import Wire

/// The prefixes of a `dns64` section, in BIND's terms:
///
///     clauses:
///       - 64:ff9b::/96
///       - prefix: 2001:db8:64::/96
///         clients: [2001:db8:1::/48]
///         mapped: ["!10.0.0.0/8", any]
///         exclude: ["::ffff:0:0/96"]
///         suffix: "::"
///         recursive-only: yes
///         break-dnssec: no
///     ipv4-ranges: { 203.0.113.0/24: 2001:db8:b::/96, 10.0.0.0/8: none }
extension DNS64SectionReader {
    /// The limit that a NAT64 beside it has, too.
    private static let maximumPrefixes = 64

    mutating func readPrefixes(clauses: YAMLNode?, ranges: YAMLNode?) {
        let exclude = settings.profile.exclude
        if let clauses { settings.policy.clauses = readClauses(clauses, exclude) }
        if let ranges { settings.policy.assign(readRanges(ranges), exclude: exclude) }
    }

    // MARK: - Clauses

    private mutating func readClauses(_ node: YAMLNode, _ exclude: AddressMatchList) -> [SynthesisPolicy.Clause] {
        var clauses: [(clause: SynthesisPolicy.Clause, line: Int)] = []
        for item in items(node) {
            guard let clause = readClause(item, exclude) else { continue }
            // A duplicate would add each address twice.
            if let first = clauses.first(where: { $0.clause == clause }) {
                report(
                    "this clause stands in line \(first.line) already, all its keys alike: keep one", at: item.position)
            } else {
                clauses.append((clause, item.position.line))
            }
        }
        return clauses.map(\.clause)
    }

    private mutating func readClause(_ node: YAMLNode, _ exclude: AddressMatchList) -> SynthesisPolicy.Clause? {
        if case .scalar = node.content { return pref64(node).map { plainClause($0, exclude) } }
        let example = "{ prefix: 64:ff9b::/96, mapped: [any] }"
        guard let entries = map(node, whatItIs: "a clause", example: example) else { return nil }
        let fields = fields(
            entries, of: "a clause",
            named: ["prefix", "clients", "mapped", "exclude", "suffix", "recursive-only", "break-dnssec"])
        guard let written = fields["prefix"] else {
            report("a clause has a prefix, such as \(example)", at: node.position)
            return nil
        }
        guard let prefix = pref64(written) else { return nil }
        var clause = plainClause(prefix, exclude)
        if let node = fields["clients"] { clause.clients = matchList(node, "clients") }
        if let node = fields["mapped"] { clause.mapped = matchList(node, "mapped", family: .ipv4) }
        if let node = fields["exclude"] { clause.exclude = matchList(node, "exclude", family: .ipv6) }
        if let node = fields["suffix"] { append(suffix: node, to: &clause) }
        if let node = fields["recursive-only"] {
            clause.recursiveOnly = flag(node, "recursive-only") ?? clause.recursiveOnly
        }
        if let node = fields["break-dnssec"] { clause.breakDNSSEC = flag(node, "break-dnssec") ?? clause.breakDNSSEC }
        return clause
    }

    private func plainClause(_ prefix: Pref64, _ exclude: AddressMatchList) -> SynthesisPolicy.Clause {
        var clause = SynthesisPolicy.Clause(prefix: prefix)
        clause.exclude = exclude
        return clause
    }

    private mutating func append(suffix node: YAMLNode, to clause: inout SynthesisPolicy.Clause) {
        guard let suffix = ipv6Address(node, "suffix") else { return }
        do throws(SynthesisPolicy.Clause.SuffixError) {
            try clause.append(suffix: suffix)
        } catch {
            report("\(error): the IPv4 address and what is in front of it are there", at: node.position)
        }
    }

    // MARK: - Networks

    private enum Family {
        case ipv4, ipv6
    }

    private mutating func matchList(_ node: YAMLNode, _ key: String, family: Family? = nil) -> AddressMatchList {
        AddressMatchList(items(node).compactMap { matchElement($0, key, family) })
    }

    private mutating func matchElement(
        _ node: YAMLNode, _ key: String, _ family: Family?
    ) -> AddressMatchList.Element? {
        let networks =
            switch family {
            case .ipv4: "IPv4 networks such as 10.0.0.0/8, \"!10.0.0.0/8\""
            case .ipv6: "IPv6 networks such as 2001:db8::/32, \"!2001:db8::/32\""
            case nil: "networks such as 2001:db8::/32, \"!2001:db8::/32\""
            }
        if case .scalar(let text) = node.content, let element = AddressMatchList.Element(text) {
            switch (element.pattern, family) {
            case (.any, _), (_, nil), (.ipv4, .ipv4), (.ipv6, .ipv6): return element
            case (.ipv4, .ipv6), (.ipv6, .ipv4): break
            }
        }
        report(
            "\(key) is a list of \(networks) (in quotes, to keep out), any and none; host bits are zero; it does not have "
                + node.kindDescription, at: node.position)
        return nil
    }

    // MARK: - IPv4 ranges

    private mutating func readRanges(_ node: YAMLNode) -> [IPv4Range] {
        let example = "{ 203.0.113.0/24: 2001:db8:b::/96, 10.0.0.0/8: none }"
        guard let entries = map(node, whatItIs: "ipv4-ranges", example: example) else { return [] }
        var ranges: [IPv4Range] = []
        for entry in entries {
            guard let network = ipv4Prefix(entry.key, "ipv4-ranges") else { continue }
            if ranges.contains(where: { $0.network == network }) {
                report("\(network) stands here already: keep one", at: entry.key.position)
            } else if entry.value.isText("none") {
                ranges.append(IPv4Range(network, prefix: nil))
            } else if let prefix = pref64(entry.value) {
                ranges.append(IPv4Range(network, prefix: prefix))
            }
        }
        return ranges
    }

    // MARK: - All together

    mutating func checkPrefixes(at position: SourcePosition) {
        let prefixes = settings.prefixes
        if prefixes.count > Self.maximumPrefixes {
            return report("a NAT64 has \(Self.maximumPrefixes) prefixes at most, not \(prefixes.count)", at: position)
        }
        for outer in prefixes {
            for inner in prefixes where inner != outer && outer.contains(inner.prefix.address) {
                if outer.prefix.length < inner.prefix.length {
                    report("the prefix \(outer) contains \(inner): no NAT64 can have both", at: position)
                }
            }
        }
    }
}
