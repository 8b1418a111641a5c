// SPDX-License-Identifier: Apache-2.0
package import DNS64
import DNSWire
import Text
import Translation
import Wire

/// Reads a `dns64` section, of a world file or of any other: how queries are answered.
///
///     profile: rfc              # and clauses, ipv4-ranges (`DNS64Clauses.swift`)
///     ignore-aaaa: [shop.test]  # sets of names
///     faults: [shop.test AAAA drop]
///     limits:                   # and time-outs
///
/// `docs/dns64-configuration.md` explains every key.
package struct DNS64SectionReader: YAMLReader {
    package var problems: [YAMLFileError.Problem] = []
    var settings = DNS64Settings()

    package init() {}

    /// The keys that determine the answers; the others configure the server.
    private static let policyKeys = [
        "profile", "clauses", "ipv4-ranges", "exempt-ipv4", "ignore-aaaa", "exclude-zones", "suppress-a",
        "extended-error", "dns64-server", "dns64-contact",
    ]

    /// Reads the section; its mistakes are in `problems` afterwards.
    package mutating func read(_ section: YAMLNode) -> DNS64Settings {
        let fields = readPolicy(section, Self.policyKeys + ["discovery", "faults", "limits", "time-outs"])
        for node in [fields["ipv4-ranges"], fields["clauses"]].compactMap(\.self).prefix(1) {
            checkPrefixes(at: node.position)
        }
        if let node = fields["discovery"] { set(\.isDiscoverable, flag(node, "discovery")) }
        if let node = fields["faults"] { readFaults(node) }
        if let node = fields["limits"] { readLimits(node) }
        if let node = fields["time-outs"] { readTimeOuts(node) }
        return settings
    }

    /// Reads a section for one network of clients without a NAT64 beside it: without clauses nothing is synthesised.
    mutating func readPolicy(_ section: YAMLNode) -> SynthesisPolicy {
        settings.policy = .plain
        _ = readPolicy(section, Self.policyKeys)
        return settings.policy
    }

    private mutating func readPolicy(_ section: YAMLNode, _ keys: [String]) -> [String: YAMLNode] {
        guard let entries = map(section, whatItIs: "dns64", example: "{ profile: rfc, clauses: [64:ff9b::/96] }") else {
            return [:]
        }
        let fields = fields(entries, of: "dns64", named: keys)
        // The profile comes first: it sets the defaults for the other keys.
        if let node = fields["profile"] { readProfile(node) }
        readPrefixes(clauses: fields["clauses"], ranges: fields["ipv4-ranges"])
        if let node = fields["exempt-ipv4"] {
            settings.policy.exemptIPv4 = items(node).compactMap { ipv4Prefix($0, "exempt-ipv4") }
        }
        if let node = fields["ignore-aaaa"] { settings.policy.ignoredAAAA = names(node, "ignore-aaaa") }
        if let node = fields["exclude-zones"] { settings.policy.excludedNames = names(node, "exclude-zones") }
        if let node = fields["suppress-a"] { settings.policy.suppressedA = names(node, "suppress-a") }
        if let node = fields["extended-error"] {
            set(\.policy.hasExtendedError, flag(node, "extended-error"))
        }
        if let node = fields["dns64-server"] {
            settings.policy.reverseServer = name(node, "dns64-server", "ns.example.net")
        }
        if let node = fields["dns64-contact"] {
            settings.policy.reverseContact = name(node, "dns64-contact", "hostmaster.example.net")
        }
        return fields
    }

    mutating func set<Value>(_ path: WritableKeyPath<DNS64Settings, Value>, _ value: Value?) {
        if let value { settings[keyPath: path] = value }
    }

    private mutating func readProfile(_ node: YAMLNode) {
        guard let profile = choice(node, "profile", Profile.allCases.map { ($0.rawValue, $0) }) else { return }
        settings.profile = profile
        settings.policy.resemble(profile)
    }

    // MARK: - Names

    /// `all`, `none`, or names, each with all names below it.
    private mutating func names(_ node: YAMLNode, _ key: String) -> NameSet {
        if node.isText("all") { return .all }
        if node.isText("none") { return .none }
        return .below(items(node).compactMap { name($0, key) })
    }

    private mutating func name(_ node: YAMLNode, _ key: String) -> DomainName? {
        guard case .scalar(let text) = node.content, !["all", "none", ""].contains(text) else {
            report(
                "\(key) is all, none, or a list of names such as [shop.test, example.org], which does not have \(node.kindDescription)",
                at: node.position)
            return nil
        }
        do throws(DomainNameError) {
            return try DomainName(text)
        } catch {
            report("\"\(excerpt(text))\" cannot be a name of \(key): \(error)", at: node.position)
            return nil
        }
    }

    private mutating func name(_ node: YAMLNode, _ key: String, _ example: String) -> DomainName? {
        if case .scalar(let text) = node.content, !text.isEmpty, let name = try? DomainName(text) { return name }
        report("\(key) is a name such as \(example), not \(node.kindDescription)", at: node.position)
        return nil
    }

    // MARK: - Faults

    private mutating func readFaults(_ node: YAMLNode) {
        for item in items(node) {
            guard settings.resolver.faults.count < Fault.maximumFaults else {
                return report("there are \(Fault.maximumFaults) faults at most", at: item.position)
            }
            guard case .scalar(let text) = item.content else {
                report(
                    "a fault is one line, such as - shop.test AAAA rcode SERVFAIL, not \(item.kindDescription)",
                    at: item.position)
                continue
            }
            do throws(FaultError) {
                settings.resolver.faults.append(try Fault(presentation: text))
            } catch {
                report("\(error)", at: item.position)
            }
        }
    }

    // MARK: - Bounds

    private mutating func readLimits(_ node: YAMLNode) {
        let example = "{ cache: 65536, connections: 256 }"
        guard let entries = map(node, whatItIs: "limits", example: example) else { return }
        let numbers: [(String, WritableKeyPath<DNS64Settings, Int>, ClosedRange<Int>)] = [
            ("udp-response", \.resolver.largestUDPResponse, EDNS.smallestPayloadSize...4096),
            ("cache", \.resolver.cacheCapacity, 0...Self.maximumEntries),
            ("pending", \.resolver.maximumPending, 0...Self.maximumEntries),
            ("pending-per-client", \.resolver.maximumPendingPerClient, 0...Self.maximumEntries),
            ("connections", \.limits.connections, 0...65_536),
            ("connections-per-client", \.limits.connectionsPerClient, 0...65_536),
            ("unread-octets", \.limits.unreadOctets, 1...(1 << 30)),
            ("log", \.limits.loggedQueries, 1...Self.maximumEntries),
        ]
        let fields = fields(entries, of: "limits", named: numbers.map(\.0))
        for (key, path, range) in numbers {
            if let node = fields[key] { set(path, number(node, key, in: range)) }
        }
    }

    private static let maximumEntries = 1 << 22

    private mutating func readTimeOuts(_ node: YAMLNode) {
        guard let entries = map(node, whatItIs: "time-outs", example: "{ tcp-idle: 10 }") else { return }
        let fields = fields(entries, of: "time-outs", named: ["tcp-idle"])
        if let node = fields["tcp-idle"] { set(\.limits.idleTime, duration(node, "tcp-idle")) }
    }
}
