// SPDX-License-Identifier: Apache-2.0
@testable import ConfigurationText
import DNS64
import DNSWire
import Testing
import Translation
import Wire

@Suite("The dns64 section") struct DNS64SectionTests {
    /// The settings of a file with these lines below `dns64:`.
    private func settings(_ lines: String) throws -> DNS64Settings {
        try world("version: 1\ndns64:\n" + lines.indented).dns64
    }

    @Test func `missing, it is RFC 6147 under the well-known prefix`() throws {
        let settings = try world("version: 1").dns64
        #expect(settings.policy == SynthesisPolicy(prefix: .wellKnown))
        #expect(settings.prefixes == [.wellKnown] && settings.resolver.faults.isEmpty)
        #expect(try world("version: 1\ndns64:").dns64.policy == settings.policy)
    }

    @Test func `clauses have BIND's words`() throws {
        let policy = try settings(
            """
            clauses:
              - 64:ff9b::/96
              - prefix: 2001:db8:64::/64
                clients: ["!2001:db8:1::1", 2001:db8:1::/48, 192.0.2.0/24]
                mapped: ["!10.0.0.0/8", any]
                exclude: ["::ffff:0:0/96", 2001:db8:bad::/48]
                suffix: "::1"
                recursive-only: yes
                break-dnssec: on
            """
        ).policy
        #expect(policy.clauses.count == 2 && policy.clauses[0] == .init(prefix: .wellKnown))
        var clause = SynthesisPolicy.Clause(prefix: try Pref64("2001:db8:64::/64"))
        clause.clients = try #require(AddressMatchList(["!2001:db8:1::1", "2001:db8:1::/48", "192.0.2.0/24"]))
        clause.mapped = try #require(AddressMatchList(["!10.0.0.0/8", "any"]))
        clause.exclude = try #require(AddressMatchList(["::ffff:0:0/96", "2001:db8:bad::/48"]))
        try clause.append(suffix: IPv6Address("::1")!)
        clause.recursiveOnly = true
        clause.breakDNSSEC = true
        #expect(policy.clauses[1] == clause)
    }

    @Test func `the same clause twice is told with its place`() {
        let text = """
            version: 1
            dns64:
              clauses:
                - 64:ff9b::/96
                - { prefix: 64:ff9b::/96, clients: 2001:db8::/32 }
                - prefix: 64:ff9b::/96
            """
        #expect(
            complaints(text) == [
                "w.yaml:6:7: this clause stands in line 4 already, all its keys alike: keep one"
            ])
    }

    @Test func `the reverse zones have a server and somebody to write to`() throws {
        let policy = try settings("dns64-server: dns64.example.net\ndns64-contact: hostmaster.example.net").policy
        #expect(policy.reverseServer?.description == "dns64.example.net.")
        #expect(policy.reverseContact?.description == "hostmaster.example.net.")
        #expect(
            complaints("version: 1\ndns64: { dns64-server: [], dns64-contact: a..b }") == [
                "w.yaml:2:24: dns64-server is a name such as ns.example.net, not an empty list",
                "w.yaml:2:43: dns64-contact is a name such as hostmaster.example.net, not \"a..b\"",
            ])
    }

    @Test func `without clauses nothing is synthesised`() throws {
        let settings = try settings("clauses: []")
        #expect(settings.policy.clauses.isEmpty && settings.prefixes.isEmpty)
    }

    @Test func `a profile is the ground, and what is written stands on it`() throws {
        #expect(try settings("profile: unbound").policy.clauses[0].exclude == .none)
        #expect(try settings("profile: unbound\nclauses: 2001:db8:64::/96").policy.clauses[0].exclude == .none)
        let explicit = try settings(
            "clauses: { prefix: 2001:db8:64::/96, exclude: [\"::ffff:0:0/96\"] }\nprofile: unbound")
        #expect(explicit.policy.clauses[0].exclude == .ipv4Mapped)
        #expect(explicit.policy.behaviour.reverse == .direct)
        #expect(try settings("profile: apple-always").policy.ignoredAAAA == .all)
        #expect(try settings("profile: apple-always\nignore-aaaa: none").policy.ignoredAAAA == .none)
    }

    @Test func `an IPv4 range has a prefix of its own or none, and the smallest decides`() throws {
        let policy = try settings(
            """
            ipv4-ranges:
              203.0.113.0/24: 2001:db8:b::/96
              203.0.113.128/25: none
              203.0.113.200: 2001:db8:c::/96
            """
        ).policy
        let addresses = [
            ("198.51.100.1", ["64:ff9b::/96"]), ("203.0.113.1", ["2001:db8:b::/96"]), ("203.0.113.129", []),
            ("203.0.113.200", ["2001:db8:c::/96"]),
        ]
        for (text, prefixes) in addresses {
            let address = try #require(IPv4Address(text))
            let used = policy.clauses.filter { $0.mapped.contains(.ipv4(address)) }.map { "\($0.prefix)" }
            #expect(used == prefixes, "\(text)")
        }
    }

    @Test func `names, faults, switches and bounds are read`() throws {
        let settings = try settings(
            """
            ignore-aaaa: [shop.test, "*.example"]
            exclude-zones: corp.test
            suppress-a: all
            extended-error: yes
            exempt-ipv4: [10.0.0.0/8, 192.168.0.1]
            faults:
              - "*.shop.test AAAA drop"
              - shop.test udp 1-2 rcode SERVFAIL
            limits: { udp-response: 512, cache: 0, pending: 7, pending-per-client: 3, connections: 4,
                      connections-per-client: 2, unread-octets: 100, log: 5 }
            time-outs: { tcp-idle: 1.5 }
            """)
        let policy = settings.policy
        #expect(policy.ignoredAAAA == .below([try DomainName("shop.test"), try DomainName("*.example")]))
        #expect(policy.excludedNames == .below([try DomainName("corp.test")]) && policy.suppressedA == .all)
        #expect(policy.hasExtendedError && policy.exemptIPv4.map { "\($0)" } == ["10.0.0.0/8", "192.168.0.1/32"])
        #expect(
            settings.resolver.faults.map { "\($0)" } == [
                "*.shop.test. AAAA drop", "shop.test. udp 1-2 rcode SERVFAIL",
            ])
        let resolver = settings.resolver
        #expect(resolver.largestUDPResponse == 512 && resolver.cacheCapacity == 0)
        #expect(resolver.maximumPending == 7 && resolver.maximumPendingPerClient == 3)
        var limits = ServiceLimits()
        limits.connections = 4
        limits.connectionsPerClient = 2
        limits.unreadOctets = 100
        limits.loggedQueries = 5
        limits.idleTime = .milliseconds(1500)
        #expect(settings.limits == limits)
    }

    @Test func `a prefix of the command line takes the place of all clauses, and the rest stays`() throws {
        var settings = try settings("profile: unbound\nclauses: [2001:db8:a::/96, 2001:db8:b::/96]\nignore-aaaa: all")
        settings.replaceClauses(by: try Pref64("2001:db8:64::/96"))
        #expect(settings.prefixes == [try Pref64("2001:db8:64::/96")])
        #expect(settings.policy.clauses[0].exclude == .none && settings.policy.ignoredAAAA == .all)
    }

    @Test(arguments: [
        ("profil: rfc", "3:3: unknown key \"profil\" (did you mean \"profile\"?)"),
        ("profile: bnd", "3:12: profile cannot be \"bnd\" (did you mean \"bind\"?)"),
        ("profile: 8", "3:12: profile must be one of rfc, bind, unbound, google, apple and apple-always, not \"8\""),
        ("clauses: [64:ff9b]", "3:13: '64:ff9b' is not an IPv6 prefix such as 64:ff9b::/96"),
        ("clauses: [2001:db8::/33]", "3:13: a Pref64 has a length of 32, 40, 48, 56, 64 or 96, not 33"),
        ("clauses: { mapped: any }", "3:12: a clause has a prefix, such as { prefix: 64:ff9b::/96"),
        ("clauses: { prefix: 64:ff9b::/96, exclude: [10.0.0.0/8] }", "3:46: exclude is a list of IPv6 networks"),
        (
            "clauses: { prefix: 64:ff9b::/96, mapped: [!10.0.0.0/8] }",
            "3:56: this is not YAML: did not find expected whitespace or line break (text that begins with ! must be quoted)"
        ),
        ("clauses: { prefix: 64:ff9b::/96, mapped: [2001:db8::/32] }", "3:45: mapped is a list of IPv4 networks"),
        ("clauses: { prefix: 64:ff9b::/96, suffix: \"::1\" }", "3:44: the suffix ::1 must be zero in its first 128"),
        ("clauses: { prefix: 64:ff9b::/96, clients: everyone }", "3:45: clients is a list of networks"),
        ("clauses: [2001:db8::/32, 2001:db8:1::/96]", "3:12: the prefix 2001:db8::/32 contains 2001:db8:1::/96"),
        ("ipv4-ranges: { 10.0.0.1/8: none }", "3:18: ipv4-ranges has addresses and prefixes such as"),
        ("ipv4-ranges: { 10.0.0.0/8: 64:ff9b::1 }", "3:30: '64:ff9b::1' is not an IPv6 prefix"),
        ("ipv4-ranges: { 10.0.0.1: none, 10.0.0.1/32: none }", "3:34: 10.0.0.1/32 stands here already: keep one"),
        ("ignore-aaaa: [all]", "3:17: ignore-aaaa is all, none, or a list of names"),
        ("exclude-zones: a..b", "3:18: \"a..b\" cannot be a name of exclude-zones: a label"),
        ("extended-error: perhaps", "3:19: extended-error must be true or false, not \"perhaps\""),
        ("faults: [a.test explode]", "3:12: \"explode\" does not belong into a fault: expected a record type"),
        ("faults: { a: b }", "3:11: a fault is one line, such as - shop.test AAAA rcode SERVFAIL, not a map"),
        ("limits: { cashe: 1 }", "3:13: unknown key \"cashe\" (did you mean \"cache\"?)"),
        ("limits: { udp-response: 511 }", "3:27: udp-response must be a number from 512 to 4096, not \"511\""),
        ("time-outs: { tcp-idle: soon }", "3:26: tcp-idle must be a time such as 90 (seconds)"),
    ])
    func `what is wrong is told with its place`(line: String, expected: String) {
        let found = complaints("version: 1\ndns64:\n  \(line)\n")
        #expect(found.count == 1 && found[0].hasPrefix("w.yaml:" + expected), "\(found)")
    }

    @Test func `there is an end to faults and prefixes`() {
        let faults = (0...Fault.maximumFaults).map { "    - h\($0).test drop\n" }.joined()
        #expect(complaints("version: 1\ndns64:\n  faults:\n" + faults).count == 1)
        let clauses = (0...64).map { "    - 2001:db8:\($0)::/96\n" }.joined()
        #expect(complaints("version: 1\ndns64:\n  clauses:\n" + clauses).count == 1)
    }
}

extension String {
    fileprivate var indented: String {
        split(separator: "\n").map { "  \($0)\n" }.joined()
    }
}
