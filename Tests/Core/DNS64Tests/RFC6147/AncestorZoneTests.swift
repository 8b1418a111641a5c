// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Randomness
import Testing
import Translation
import Wire

/// A world may have a zone above names that the DNS64 owns: the reverse names of its prefix and the special-use names of RFC 8880.
/// The deeper zone is the one that answers.
@Suite("Zones of the world above the DNS64's own names")
struct AncestorZoneTests {
    private static let target = IPv4Address(203, 0, 113, 33)
    private static let ptr = "33.113.0.203.in-addr.arpa. 60 IN PTR host.test."
    private static let world = [ptr, "other.test. 60 IN CNAME ipv4only.arpa."]

    /// The answer of a server whose world has `zones` as well.
    private static func ask(
        _ name: DomainName, _ type: RecordType, policy: SynthesisPolicy, zones: [DomainName: [String]]
    ) throws -> (code: ResponseCode?, records: [String], source: Answer.Source?) {
        func records(_ lines: [String]) throws -> [ResourceRecord] {
            try lines.map { try ResourceRecord(presentation: $0, defaultTTL: 60) }
        }
        var store = RecordStore(try records(world))
        for (apex, lines) in zones {
            store.add(zone: apex, try records(["\(apex) 60 IN SOA ns.test. m.test. 1 2 3 4 60"] + lines))
        }
        var resolver = Resolver(
            ResolverConfiguration(store: store, networks: [ServedNetwork(policy: policy)]),
            random: SplitMix64(seed: 1))
        let query = Message(
            id: 1, flags: .recursionDesired, questions: [Question(name: name, type: type)], edns: EDNS())
        var actions: [Resolver.Action] = []
        resolver.receive(
            query.encoded().span, from: Endpoint(.ipv6(IPv6Address("2001:db8::1")!), port: 40_000), over: .udp,
            ticket: 1, at: .zero, into: &actions)
        let record = actions.lazy.compactMap { action -> QueryRecord? in
            if case .record(let record) = action { record } else { nil }
        }.first
        return (record?.responseCode, record?.answer.map(\.description) ?? [], record?.source)
    }

    private static func prefix(_ length: Int) throws -> Pref64 {
        try Pref64(#require(IPv6Prefix(IPv6Address("2001:db8:122:344::")!, length: length)))
    }

    /// The names above the address, of which the one with `length / 4` nibbles is the apex of the prefix's zone.
    private static func ancestor(of name: DomainName, nibbles: Int) throws -> DomainName {
        try #require(name.ancestors.first { $0.labelCount == 2 + nibbles })
    }

    @Test(arguments: Pref64.lengths, Profile.allCases)
    func `a zone above the prefix's takes no reverse name from it, at whatever depth (§5.3.1)`(
        length: Int, profile: Profile
    ) throws {
        var policy = SynthesisPolicy(prefix: try Self.prefix(length))
        policy.resemble(profile)
        let name = ReverseName.name(of: try Self.prefix(length).embed(Self.target))
        let expected = try Self.ask(name, .ptr, policy: policy, zones: [:])
        #expect(expected.code == .noError && expected.records.last?.hasSuffix("IN PTR host.test.") == true)
        let arpa = try DomainName("arpa")
        let above = try [DomainName.root, arpa] + (0..<length / 4).map { try Self.ancestor(of: name, nibbles: $0) }
        for apex in above {
            // These two are above in-addr.arpa, too.
            let isAboveBoth = apex == .root || apex == arpa
            let found = try Self.ask(
                name, .ptr, policy: policy,
                zones: [apex: isAboveBoth ? [Self.ptr] : ["*.\(apex) 60 IN PTR wrong.test."]])
            #expect(found == expected, "\(apex)")
        }
    }

    @Test(arguments: Pref64.lengths)
    func `the world's zone at the prefix's, or below it, is the server's own data (§5.3.1)`(length: Int) throws {
        let policy = SynthesisPolicy(prefix: try Self.prefix(length))
        let name = ReverseName.name(of: try Self.prefix(length).embed(Self.target))
        for nibbles in length / 4...32 {
            let apex = try Self.ancestor(of: name, nibbles: nibbles)
            let found = try Self.ask(name, .ptr, policy: policy, zones: [apex: ["\(name) 60 IN PTR own.test."]])
            #expect(found.records == ["\(name) 60 IN PTR own.test."] && found.source == .world)
            if nibbles < 32 {
                #expect(try Self.ask(name, .ptr, policy: policy, zones: [apex: []]).code == .nameError)
            }
        }
    }

    @Test(arguments: Pref64.lengths)
    func `a zone above the prefix's has own data for names under it if it says so (§5.3.1)`(length: Int) throws {
        let policy = SynthesisPolicy(prefix: try Self.prefix(length))
        let name = ReverseName.name(of: try Self.prefix(length).embed(Self.target))
        let ip6 = try Self.ancestor(of: name, nibbles: 0)
        let apex = try Self.ancestor(of: name, nibbles: length / 4)
        // "MAY use the same RDATA for all answers"
        for owner in ["\(name)", "*.\(apex)"] {
            let found = try Self.ask(name, .ptr, policy: policy, zones: [ip6: ["\(owner) 60 IN PTR own.test."]])
            #expect(found.records == ["\(name) 60 IN PTR own.test."] && found.source == .world)
        }
        let renamed = try Self.ask(
            name, .ptr, policy: policy,
            zones: [ip6: ["\(apex) 60 IN DNAME all.test.", "\(ip6) 60 IN NS ns.test."]])
        #expect(renamed.records.first == "\(apex) 60 IN DNAME all.test.")
    }

    @Test
    func `special-use names are the DNS64's, whatever zones are above them and whatever leads to them (RFC 8880 §7)`()
        throws
    {
        let policy = SynthesisPolicy(prefix: .wellKnown)
        let special = try [
            (DomainName("ipv4only.arpa"), RecordType.aaaa), (DomainName("170.0.0.192.in-addr.arpa"), .ptr),
            (ReverseName.name(of: Pref64.wellKnown.embed(IPv4OnlyName.addresses[0])), .ptr),
        ]
        for (name, type) in special {
            let expected = try Self.ask(name, type, policy: policy, zones: [:])
            #expect(expected.code == .noError && !expected.records.isEmpty && expected.source == .specialUse)
            // For an address, these are the ancestors above the prefix's zone, too.
            for apex in name.ancestors.dropFirst() where apex.labelCount < 2 + Pref64.wellKnown.prefix.length / 4 {
                #expect(try Self.ask(name, type, policy: policy, zones: [apex: []]) == expected, "\(name) in \(apex)")
            }
        }
        for zones in [[:], [try DomainName("arpa"): []]] as [[DomainName: [String]]] {
            let led = try Self.ask(DomainName("other.test"), .aaaa, policy: policy, zones: zones)
            #expect(
                led.records == [
                    "other.test. 60 IN CNAME ipv4only.arpa.", "ipv4only.arpa. 86400 IN AAAA 64:ff9b::c000:aa",
                    "ipv4only.arpa. 86400 IN AAAA 64:ff9b::c000:ab",
                ])
        }
    }
}
