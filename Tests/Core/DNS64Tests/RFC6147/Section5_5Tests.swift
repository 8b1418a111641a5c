// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Randomness
import Testing
import Translation
import Wire

@testable import DNS64

@Suite("RFC 6147 §5.5: DNSSEC, with a validator") struct RFC6147Section5_5Tests {
    private struct Bench {
        var resolver: Resolver
        var actions: [Resolver.Action] = []

        init() {
            var configuration = ResolverConfiguration(
                store: RecordStore([], zones: [.root]), networks: [ServedNetwork(policy: .init(prefix: .wellKnown))])
            configuration.validation = Validation(trustAnchors: [])
            resolver = Resolver(configuration, random: SplitMix64(seed: 1))
        }

        mutating func ask(_ type: RecordType, _ flags: MessageFlags = [], dnssecOK: Bool = true) throws {
            let query = Message(
                id: 1, flags: flags.union(.recursionDesired),
                questions: [Question(name: try DomainName("a.test"), type: type)], edns: EDNS(dnssecOK: dnssecOK))
            actions = []
            let octets = query.encoded()
            resolver.receive(
                octets.span, from: Endpoint(.ipv6(.loopback), port: 1), over: .udp, ticket: 1, at: .zero,
                into: &actions)
        }

        /// The query to the validator.
        var asked: Message? {
            get throws {
                for case .ask(let octets, .validator, _, _) in actions { return try Message(octets.span) }
                return nil
            }
        }

        mutating func tell(_ change: (inout Message) throws -> Void) throws {
            for case .ask(let octets, let server, _, let exchange) in actions {
                var answer = try Message(octets.span)
                answer.flags = [.response]
                try change(&answer)
                actions = []
                let encoded = answer.encoded()
                return resolver.receive(
                    fromForwarder: encoded.span, from: server, exchange: exchange, at: .zero, into: &actions)
            }
        }

        var reply: Message? {
            get throws {
                for case .reply(let octets, _) in actions { return try Message(octets.span) }
                return nil
            }
        }
    }

    private static let bogus = ExtendedError(infoCode: ExtendedError.bogus).option

    @Test
    func `an absence that does not validate is SERVFAIL, and nothing is made of it`() throws {
        var bench = Bench()
        try bench.ask(.aaaa)
        try bench.tell {
            $0.responseCode = .serverFailure
            $0.edns?.options = [Self.bogus]
        }
        let reply = try #require(try bench.reply)
        #expect(reply.responseCode == .serverFailure && reply.answer.isEmpty)
        #expect(reply.edns?.extendedErrors.map(\.infoCode) == [ExtendedError.bogus])
    }

    @Test
    func `an A record that does not validate is SERVFAIL, too`() throws {
        var bench = Bench()
        try bench.ask(.aaaa)
        try bench.tell { $0.flags.insert(.authenticData) }
        try bench.tell {
            $0.responseCode = .serverFailure
            $0.edns?.options = [Self.bogus]
        }
        #expect(try bench.reply?.responseCode == .serverFailure)
    }

    private static let a = "a.test. 60 IN A 9.9.9.9"

    @Test func `data that validate have AD`() throws {
        var bench = Bench()
        try bench.ask(.a)
        try bench.tell {
            $0.flags.insert(.authenticData)
            $0.answer = [try ResourceRecord(presentation: Self.a, defaultTTL: 1)]
        }
        #expect(try bench.reply?.flags.contains(.authenticData) == true)
    }

    /// The conditions for the AD flag of a synthesised answer.
    struct Case: CustomTestStringConvertible {
        var flags: MessageFlags = []
        var dnssecOK = true
        var absenceValidates = true
        var dataValidate = true
        var profile = Profile.rfc
        var hasAD = false

        var testDescription: String {
            "\(flags) do=\(dnssecOK) absence=\(absenceValidates) data=\(dataValidate) \(profile) → \(hasAD)"
        }
    }

    @Test(arguments: [
        Case(hasAD: true), Case(absenceValidates: false), Case(dataValidate: false),
        // Item 1, and RFC 6840 §5.7: AD in the query does not stand for DO here.
        Case(dnssecOK: false), Case(flags: .authenticData, dnssecOK: false),
        Case(flags: .authenticData, hasAD: true),
        Case(profile: .bind), Case(profile: .unbound), Case(profile: .google, hasAD: true),
    ])
    func `item 2: a synthesised answer has AD for DO without CD, if the absence of AAAA and the A records validate`(
        _ example: Case
    ) throws {
        var bench = Bench()
        var policy = SynthesisPolicy(prefix: .wellKnown)
        policy.resemble(example.profile)
        bench.resolver.serve([ServedNetwork(policy: policy)])
        try bench.ask(.aaaa, example.flags, dnssecOK: example.dnssecOK)
        try bench.tell { if example.absenceValidates { $0.flags.insert(.authenticData) } }
        try bench.tell {
            if example.dataValidate { $0.flags.insert(.authenticData) }
            $0.answer = [try ResourceRecord(presentation: Self.a, defaultTTL: 1)]
        }
        let reply = try #require(try bench.reply)
        #expect(reply.answer.map { "\($0.data)" } == ["64:ff9b::909:909"])
        #expect(reply.flags.contains(.authenticData) == example.hasAD)
    }

    @Test func `item 2: what is made in place of excluded AAAA records has no AD, for their absence was not proven`()
        throws
    {
        var bench = Bench()
        try bench.ask(.aaaa)
        try bench.tell {
            $0.flags.insert(.authenticData)
            $0.answer = [try ResourceRecord(presentation: "a.test. 60 IN AAAA ::ffff:9.9.9.9", defaultTTL: 1)]
        }
        try bench.tell {
            $0.flags.insert(.authenticData)
            $0.answer = [try ResourceRecord(presentation: Self.a, defaultTTL: 1)]
        }
        let reply = try #require(try bench.reply)
        #expect(reply.answer.map { "\($0.data)" } == ["64:ff9b::909:909"] && !reply.flags.contains(.authenticData))
    }

    @Test
    func `an error that is none of validation leads to A all the same (§5.1.2)`() throws {
        var bench = Bench()
        try bench.ask(.aaaa)
        try bench.tell { $0.responseCode = .serverFailure }
        #expect(try bench.asked?.questions.first?.type == .a)
    }

    @Test
    func `a client that sets CD is answered without the validator`() throws {
        var bench = Bench()
        try bench.ask(.a, .checkingDisabled)
        #expect(try bench.asked == nil && bench.reply?.responseCode == .nameError)
    }

    @Test
    func `who pretends to be the validator's equal, a forwarder with AD, is not believed`() throws {
        var configuration = ResolverConfiguration(
            store: RecordStore([], zones: []), networks: [ServedNetwork(policy: .plain)])
        configuration.forwarders = ForwarderConfiguration(servers: [Endpoint(.ipv6(.loopback), port: 53)])
        var bench = Bench()
        bench.resolver = Resolver(configuration, random: SplitMix64(seed: 1))
        try bench.ask(.a)
        try bench.tell {
            $0.flags.insert(.authenticData)
            $0.answer = [try ResourceRecord(presentation: "a.test. 60 IN A 9.9.9.9", defaultTTL: 1)]
        }
        let reply = try #require(try bench.reply)
        #expect(reply.answer.count == 1 && !reply.flags.contains(.authenticData))
    }
}
