// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Translation
import Wire

// A resolver's surroundings: its configuration, and mostly sensible messages.

extension Choices {
    private static let names = [
        "www.test", "in.test", "a.b.d.test", "x.w.test", "none.test", "out.example", "b.example", "slow.example",
        "ipv4only.arpa", "1.100.51.198.in-addr.arpa", ".",
        "1.0.3.3.6.c.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.b.9.f.f.4.6.0.0.ip6.arpa",
    ]
    private static let types: [RecordType] = [.aaaa, .a, .ptr, .any, .mx, .cname, .https, .soa, .nsec, .rrsig]

    /// `nil` if the zone cannot be parsed.
    private static let store: RecordStore? = {
        let zone = """
            www.test. 60 A 198.51.100.1
            www.test. 60 A 8.8.8.8
            in.test. 60 CNAME out.example.
            loop.test. 60 CNAME loop.test.
            d.test. 60 DNAME example.
            *.w.test. 60 A 203.0.113.9
            www.test. 60 RRSIG A 5 2 60 20300322173103 20030220173103 2642 test. oJB1
            """
        guard let records = try? ZoneFile(zone).records, let apex = try? DomainName("test") else { return nil }
        return RecordStore(records, zones: [apex])
    }()

    mutating func resolverConfiguration() throws(BrokenInvariant) -> ResolverConfiguration {
        guard let store = Self.store else { throw BrokenInvariant("the zone cannot be read") }
        var configuration = ResolverConfiguration(store: store, networks: [ServedNetwork(policy: policy())])
        if oneIn(4) {
            let first = AddressMatchList([.init(.ipv6(IPv6Prefix(Scene.hosts[0], length: 128)!))])
            configuration.networks.insert(ServedNetwork(clients: first, policy: policy()), at: 0)
        }
        if !oneIn(8) {
            let servers: [UInt8] = [1, 2]
            var forwarders = ForwarderConfiguration(
                servers: servers.prefix(1 + below(2)).map { Endpoint(.ipv4(IPv4Address(192, 0, 2, $0)), port: 53) })
            forwarders.maximumRequests = pick([8, 1, 0])
            forwarders.attempts = pick([4, 1])
            configuration.forwarders = forwarders
        }
        configuration.cacheCapacity = pick([8, 1, 0])
        configuration.maximumPending = pick([20, 2, 0])
        configuration.maximumPendingPerClient = pick([12, 1])
        configuration.largestUDPResponse = pick([1_232, 512, 65_535])
        for _ in 0..<(oneIn(4) ? below(4) : 0) { configuration.faults.append(fault()) }
        return configuration
    }

    private mutating func policy() -> SynthesisPolicy {
        var policy = SynthesisPolicy(prefix: .wellKnown)
        policy.exemptIPv4 = oneIn(2) ? Scene.exempt : []
        policy.hasExtendedError = oneIn(2)
        policy.resemble(pick(Profile.allCases))
        policy.clauses[0].breakDNSSEC = oneIn(4)
        policy.clauses[0].recursiveOnly = oneIn(8)
        if oneIn(4) { policy.clauses.append(.init(prefix: prefix())) }
        if oneIn(8) { policy.clauses = [] }
        return policy
    }

    private mutating func fault() -> Fault {
        let effects: [Fault.Effect] = [
            .drop, .responseCode(.serverFailure), .delay(.seconds(2)), .truncate, .wrongIdentifier, .mappedAAAA,
            .aliasLoop, .ttl(0), .answer([.a(Scene.remotes[0])]), .extendedError(ExtendedError(infoCode: 1)),
        ]
        let pattern = Fault.Pattern(
            name: oneIn(2) ? name() : nil, type: oneIn(2) ? pick(Self.types) : nil, numbers: oneIn(4) ? 1...2 : nil)
        return Fault(pattern, pick(effects))
    }

    // MARK: - Messages

    private mutating func name() -> DomainName {
        if oneIn(16),
            let name = try? DomainName(labels: [octets(1 + below(63))] + Array(repeating: [0x61], count: below(8)))
        {
            return name
        }
        return (try? DomainName(pick(Self.names))) ?? .root
    }

    /// A client's query.
    mutating func query() -> [UInt8] {
        if oneIn(16) { return octets(below(256)) }
        var message = Message(
            id: number16(), flags: oneIn(4) ? MessageFlags(rawValue: number16() & 0x7ff0) : .recursionDesired,
            questions: [Question(name: name(), type: oneIn(16) ? RecordType(rawValue: number16()) : pick(Self.types))])
        if oneIn(2) {
            message.edns = EDNS(udpPayloadSize: pick([1_232, 0, 512, 65_535]), dnssecOK: oneIn(2))
            if oneIn(16) { message.edns?.version = octet() }
        }
        return damaged(message.encoded())
    }

    /// A forwarder's message, mostly a response to the query.
    mutating func response(to query: [UInt8]) -> [UInt8] {
        if oneIn(16) { return octets(below(256)) }
        guard var message = try? Message(query.span) else { return query }
        message.flags.insert(.response)
        if oneIn(8) { message.flags.insert(.truncated) }
        if oneIn(4) { message.flags.insert(.authenticData) }
        if oneIn(4) { message.responseCode = ResponseCode(rawValue: UInt16(below(24))) }
        if oneIn(8) { message.edns = nil }
        let asked = message.questions.first?.name ?? .root
        for _ in 0..<below(5) { message.answer.append(record(asked)) }
        if oneIn(4) { message.authority.append(record(asked)) }
        if oneIn(8) { message.additional.append(record(asked)) }
        return damaged(message.encoded())
    }

    private mutating func record(_ asked: DomainName) -> ResourceRecord {
        let owner = oneIn(4) ? name() : asked
        let data: RecordData =
            switch below(8) {
            case 0: .a(oneIn(2) ? IPv4Address(bits: number32()) : pick(Scene.remotes))
            case 1: .a(IPv4Address(10, 0, 0, 1))
            case 2: .aaaa(oneIn(2) ? pick(Scene.hosts) : IPv6Address(0, 0, 0, 0, 0, 0xffff, 0x0808, 0x0808))
            case 3: .cname(name())
            case 4: .dname(oneIn(2) ? name() : (asked.parent ?? asked))
            case 5:
                .soa(
                    StartOfAuthority(
                        primary: name(), mailbox: name(), serial: 1, refresh: 1, retry: 1, expire: 1,
                        minimum: number32()))
            case 6: .ptr(name())
            default: .other(pick([.txt, .rrsig, .nsec, .https, RecordType(rawValue: 999)]), octets(below(40)))
            }
        return ResourceRecord(name: owner, ttl: oneIn(4) ? number32() : UInt32(below(4)) * 100, data: data)
    }

    private mutating func damaged(_ message: [UInt8]) -> [UInt8] {
        var message = message
        for _ in 0..<pick([0, 0, 0, 0, 0, 1, 2, 4]) where !message.isEmpty {
            message[Int(number16()) % message.count] = octet()
        }
        if oneIn(16), !message.isEmpty { message.removeLast(Int(octet()) % message.count) }
        return message
    }
}
