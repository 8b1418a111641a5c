// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Randomness
import Testing
import Translation
import Wire

@Suite("Profiles: DNS64s of the field")
struct ProfileTests {
    private static let soa = "test. 120 IN SOA ns.test. who.test. 1 2 3 4 120"

    private static func policy(_ profile: Profile, _ prefix: Pref64 = .wellKnown) -> SynthesisPolicy {
        var policy = SynthesisPolicy(prefix: prefix)
        policy.resemble(profile)
        return policy
    }

    @Test(arguments: Profile.allCases)
    func `an error in place of AAAA leads to A, but not with BIND`(profile: Profile) throws {
        let outcomes = [try answer(.refused), try answer(.noError, ["a.test. 1 IN A 9.9.9.9"])]
        let exchange = try Exchange("a.test", .aaaa, policy: Self.policy(profile), outcomes: outcomes)
        if profile == .bind {
            #expect(exchange.code == .serverFailure && exchange.lookedUp.count == 1)
        } else if profile != .appleAlways {
            #expect(exchange.records == ["a.test. 1 IN AAAA 64:ff9b::909:909"])
        }
        if profile == .bind {
            #expect(
                try Exchange("a.test", .aaaa, policy: Self.policy(.bind), outcomes: [.timedOut]).code == .serverFailure)
        }
    }

    @Test(arguments: [Profile.rfc, .bind, .unbound, .google, .apple])
    func `a name error ends the search, but not with Unbound`(profile: Profile) throws {
        let outcomes = [try answer(.nameError), try answer(.nameError)]
        let exchange = try Exchange("a.test", .aaaa, policy: Self.policy(profile), outcomes: outcomes)
        #expect(exchange.lookedUp.count == (profile == .unbound ? 2 : 1))
        #expect(exchange.code == .nameError)
    }

    @Test(arguments: [Profile.rfc, .bind, .unbound])
    func `the TTL is limited by the negative answer, but not with Unbound`(profile: Profile) throws {
        let outcomes = [try answer(authority: [Self.soa]), try answer(.noError, ["a.test. 900 IN A 9.9.9.9"])]
        let exchange = try Exchange("a.test", .aaaa, policy: Self.policy(profile), outcomes: outcomes)
        #expect(exchange.resolved?.answer.answer.map(\.ttl) == [profile == .unbound ? 900 : 120])
    }

    @Test(arguments: Profile.allCases)
    func `private addresses are not mapped under the well-known prefix by who follows RFC 6052`(profile: Profile) throws
    {
        let outcomes = [try answer(), try answer(.noError, ["a.test. 1 IN A 10.0.0.1"])]
        let looksUpAAAA = profile != .appleAlways
        let exchange = try Exchange(
            "a.test", .aaaa, policy: Self.policy(profile), outcomes: looksUpAAAA ? outcomes : [outcomes[1]])
        let maps: Set<Profile> = [.bind, .unbound, .google]
        #expect(exchange.records == (maps.contains(profile) ? ["a.test. 1 IN AAAA 64:ff9b::a00:1"] : []))
    }

    @Test(arguments: [Profile.rfc, .bind, .unbound])
    func `mapped AAAA records are excluded, but not by Unbound`(profile: Profile) throws {
        let outcomes = [
            try answer(.noError, ["a.test. 1 IN AAAA ::ffff:9.9.9.9"]),
            try answer(.noError, ["a.test. 1 IN A 9.9.9.9"]),
        ]
        let exchange = try Exchange("a.test", .aaaa, policy: Self.policy(profile), outcomes: outcomes)
        let address = profile == .unbound ? "::ffff:9.9.9.9" : "64:ff9b::909:909"
        #expect(exchange.records == ["a.test. 1 IN AAAA \(address)"])
    }

    @Test(arguments: [Profile.rfc, .bind, .unbound])
    func `CD alone keeps only Unbound from synthesising`(profile: Profile) throws {
        let question = Question(name: try DomainName("a.test"), type: .aaaa)
        var resolution = Resolution(
            .init(question, client: .ipv6(.loopback), checkingDisabled: true), policy: Self.policy(profile))
        _ = resolution.start()
        let next = resolution.receive(try answer())
        let asksForA = next == .lookUp(Question(name: question.name, type: .a))
        #expect(asksForA == (profile != .unbound))
    }

    @Test(arguments: [Profile.rfc, .bind])
    func `DO and CD keep from synthesising; with BIND it is DO where there are signatures`(profile: Profile) throws {
        let signature = "test. 1 IN RRSIG SOA 13 1 300 20300101000000 20200101000000 1 test. AAAA"
        func asksForA(_ negative: Resolution.Outcome, checkingDisabled: Bool, breaks: Bool = false) throws -> Bool {
            var policy = Self.policy(profile)
            policy.clauses[0].breakDNSSEC = breaks
            let question = Question(name: try DomainName("a.test"), type: .aaaa)
            var resolution = Resolution(
                .init(question, client: .ipv6(.loopback), checkingDisabled: checkingDisabled, dnssecOK: true),
                policy: policy)
            _ = resolution.start()
            return resolution.receive(negative) == .lookUp(Question(name: question.name, type: .a))
        }
        let signed = try answer(authority: [Self.soa, signature])
        #expect(try asksForA(signed, checkingDisabled: false))
        // With BIND it is the A record's signature that counts: see below.
        #expect(try asksForA(signed, checkingDisabled: true) == (profile == .bind))
        #expect(try asksForA(signed, checkingDisabled: true, breaks: true))
        #expect(try asksForA(answer(authority: [Self.soa]), checkingDisabled: true) == (profile == .bind))
    }

    @Test
    func `with BIND a signed A record is not made into anything for who sets DO`() throws {
        let question = Question(name: try DomainName("a.test"), type: .aaaa)
        var resolution = Resolution(
            .init(question, client: .ipv6(.loopback), dnssecOK: true), policy: Self.policy(.bind))
        _ = resolution.start()
        _ = resolution.receive(try answer(authority: [Self.soa]))
        let signature = "a.test. 1 IN RRSIG A 13 2 300 20300101000000 20200101000000 1 test. AAAA"
        guard
            case .respond(let resolved) = resolution.receive(
                try answer(.noError, ["a.test. 1 IN A 9.9.9.9", signature]))
        else {
            Issue.record("there is no response")
            return
        }
        #expect(resolved.answer.answer.isEmpty && resolved.rule == .validatingClient)
        #expect(resolved.answer.authority.map(\.type) == [.soa])
    }

    @Test(arguments: [Profile.rfc, .unbound])
    func `reverse look-ups are aliases, but with Unbound plain records`(profile: Profile) throws {
        let name = ReverseName.name(of: IPv6Address("64:ff9b::909:909")!)
        let outcome = try answer(.noError, ["9.9.9.9.in-addr.arpa. 1 IN PTR a.test."])
        let exchange = try Exchange(name.description, .ptr, policy: Self.policy(profile), outcomes: [outcome])
        #expect(
            exchange.records
                == (profile == .unbound
                    ? ["\(name) 1 IN PTR a.test."]
                    : ["\(name) 1 IN CNAME 9.9.9.9.in-addr.arpa.", "9.9.9.9.in-addr.arpa. 1 IN PTR a.test."]))
    }

    @Test(arguments: [Profile.rfc, .bind, .unbound])
    func `of an address without a PTR record BIND makes an alias all the same`(profile: Profile) throws {
        let name = ReverseName.name(of: IPv6Address("64:ff9b::909:909")!)
        let exchange = try Exchange(
            name.description, .ptr, policy: Self.policy(profile), outcomes: [try answer(.nameError)])
        #expect(exchange.code == .nameError)
        #expect(exchange.records == (profile == .bind ? ["\(name) 600 IN CNAME 9.9.9.9.in-addr.arpa."] : []))
    }

    @Test(arguments: [Profile.rfc, .bind, .unbound])
    func `an error in place of A is passed on, but by Unbound`(profile: Profile) throws {
        let outcomes = [try answer(authority: [Self.soa]), try answer(.serverFailure)]
        let exchange = try Exchange("a.test", .aaaa, policy: Self.policy(profile), outcomes: outcomes)
        #expect(exchange.code == (profile == .unbound ? .noError : .serverFailure))
        #expect(exchange.records == [])
    }

    @Test(arguments: [Profile.rfc, .bind, .unbound])
    func `ipv4only.arpa is known, but not to Unbound`(profile: Profile) throws {
        var resolver = Resolver(
            ResolverConfiguration(
                store: RecordStore([]), networks: [ServedNetwork(policy: Self.policy(profile))]),
            random: SplitMix64(seed: 1))
        let query = Message(
            id: 1, flags: .recursionDesired, questions: [Question(name: IPv4OnlyName.name, type: .aaaa)]
        ).encoded()
        var actions: [Resolver.Action] = []
        resolver.receive(
            query.span, from: Endpoint(.ipv6(.loopback), port: 1), over: .udp, ticket: 1, at: .zero, into: &actions)
        guard case .reply(let octets, _)? = actions.first else {
            Issue.record("there is no reply")
            return
        }
        #expect(try Message(octets.span).answer.count == (profile == .unbound ? 0 : 2))
    }

    @Test
    func `apple-always does not even look for AAAA`() throws {
        let outcome = try answer(.noError, ["a.test. 900 IN A 9.9.9.9"])
        let exchange = try Exchange("a.test", .aaaa, policy: Self.policy(.appleAlways), outcomes: [outcome])
        #expect(exchange.lookedUp == ["a.test. IN A"])
        #expect(exchange.records == ["a.test. 600 IN AAAA 64:ff9b::909:909"])
    }

    /// Two clauses, of which the second excludes more and breaks DNSSEC.
    private static func twoClauses(_ profile: Profile) throws -> SynthesisPolicy {
        var policy = SynthesisPolicy(clauses: [
            .init(prefix: try Pref64("2001:db8:a::/96")), .init(prefix: try Pref64("2001:db8:b::/96")),
        ])
        policy.resemble(profile)
        policy.clauses[0].exclude = try #require(AddressMatchList(["2001:db8:1::/48", "2001:db8:3::/48"]))
        policy.clauses[1].exclude = try #require(AddressMatchList(["2001:db8:2::/48", "2001:db8:3::/48"]))
        policy.clauses[1].breakDNSSEC = true
        return policy
    }

    @Test(arguments: [Profile.rfc, .bind])
    func `with BIND an AAAA record is dropped if every clause excludes it, otherwise if any does`(profile: Profile)
        throws
    {
        let records = (1...4).map { "a.test. 1 IN AAAA 2001:db8:\($0)::1" }
        let exchange = try Exchange(
            "a.test", .aaaa, policy: Self.twoClauses(profile), outcomes: [answer(.noError, records)])
        #expect(exchange.records == (profile == .bind ? [records[0], records[1], records[3]] : [records[3]]))
    }

    private static let signature = "RRSIG AAAA 13 2 300 20300101000000 20200101000000 1 test. AAAA"

    @Test func `with BIND signed AAAA records are filtered for who sets DO by the clauses alone that break DNSSEC`()
        throws
    {
        let records = (1...4).map { "a.test. 1 IN AAAA 2001:db8:\($0)::1" }
        let signed = try answer(.noError, records + ["a.test. 1 IN \(Self.signature)"])
        var policy = try Self.twoClauses(.bind)
        var exchange = try Exchange("a.test", .aaaa, policy: policy, dnssecOK: true, outcomes: [signed])
        #expect(exchange.records == [records[0], records[3]])
        policy.clauses[1].breakDNSSEC = false
        exchange = try Exchange("a.test", .aaaa, policy: policy, dnssecOK: true, outcomes: [signed])
        #expect(exchange.records.count == 5 && exchange.resolved?.rule == .realAAAA)
        // Without DO, only an address that every clause excludes is removed.
        exchange = try Exchange("a.test", .aaaa, policy: policy, outcomes: [signed])
        #expect(exchange.records == [records[0], records[1], records[3]])
    }

    @Test func `with BIND a signed A record is mapped for who sets DO by the clauses alone that break DNSSEC`() throws {
        let a = "a.test. 1 IN A 9.9.9.9"
        let signature = Self.signature.replacing("AAAA 13", with: "A 13")
        let outcomes = [try answer(authority: [Self.soa]), try answer(.noError, [a, "a.test. 1 IN \(signature)"])]
        let exchange = try Exchange(
            "a.test", .aaaa, policy: Self.twoClauses(.bind), dnssecOK: true, outcomes: outcomes)
        #expect(exchange.records == ["a.test. 1 IN AAAA 2001:db8:b::909:909"])
    }

    @Test func `a client that sets CD and DO gets what the clauses make that break DNSSEC, and no others`() throws {
        let outcomes = [try answer(authority: [Self.soa]), try answer(.noError, ["a.test. 1 IN A 9.9.9.9"])]
        let exchange = try Exchange(
            "a.test", .aaaa, policy: Self.twoClauses(.rfc), checkingDisabled: true, dnssecOK: true, outcomes: outcomes)
        #expect(exchange.records == ["a.test. 1 IN AAAA 2001:db8:b::909:909"])
    }

    @Test func `with BIND the alias of a reverse name is there for every type`() throws {
        let name = ReverseName.name(of: IPv6Address("64:ff9b::909:909")!)
        let alias = "\(name) 600 IN CNAME 9.9.9.9.in-addr.arpa."
        let exchange = try Exchange(name.description, .txt, policy: Self.policy(.bind), outcomes: [answer(.nameError)])
        #expect(exchange.lookedUp == ["9.9.9.9.in-addr.arpa. IN TXT"])
        #expect(exchange.records == [alias] && exchange.code == .nameError)
    }
}
