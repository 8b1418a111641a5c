// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Testing
import Translation
import Wire

@Suite("RFC 6147 §5.3: other records")
struct RFC6147Section5_3Tests {
    @Test(arguments: Pref64.lengths)
    func `the reverse name of an address under every prefix length leads to in-addr.arpa (§5.3.1)`(length: Int) throws {
        let prefix = try Pref64(#require(IPv6Prefix(IPv6Address("2001:db8:122:344::")!, length: length)))
        let address = IPv4Address(203, 0, 113, 33)
        let name = ReverseName.name(of: prefix.embed(address))
        let exchange = try Exchange(
            name.description, .ptr, policy: SynthesisPolicy(prefix: prefix),
            outcomes: [answer(.noError, ["33.113.0.203.in-addr.arpa. 60 IN PTR host.test."])])
        #expect(exchange.lookedUp == ["33.113.0.203.in-addr.arpa. IN PTR"])
        #expect(
            exchange.records == [
                "\(name) 60 IN CNAME 33.113.0.203.in-addr.arpa.", "33.113.0.203.in-addr.arpa. 60 IN PTR host.test.",
            ])
    }

    @Test(arguments: [
        "b.9.f.f.4.6.0.0.ip6.arpa", "ip6.arpa", "x." + String(repeating: "0.", count: 31) + "ip6.arpa",
        "10." + String(repeating: "0.", count: 31) + "ip6.arpa", String(repeating: "0.", count: 33) + "ip6.arpa",
    ])
    func `ip6.arpa names that are no whole address, or none at all, are looked up as they are`(name: String) throws {
        let exchange = try Exchange(name, .ptr, outcomes: [answer(.nameError)])
        #expect(exchange.lookedUp == ["\(name). IN PTR"])
        #expect(exchange.resolved?.rule == .otherType)
    }

    private static let name = ReverseName.name(of: IPv6Address("2001:db8:64::909:909")!)
    private static let ptr = "9.9.9.9.in-addr.arpa. 60 IN PTR host.test."

    @Test(arguments: [true, false])
    func `whoever asks is answered, whatever clients and recursive-only say (§5_3_1)`(isForOthers: Bool) throws {
        var policy = SynthesisPolicy.test
        if isForOthers { policy.clauses[0].clients = .none } else { policy.clauses[0].recursiveOnly = true }
        let exchange = try Exchange(
            Self.name.description, .ptr, policy: policy, recursionDesired: false,
            outcomes: [answer(.noError, [Self.ptr])])
        #expect(exchange.records == ["\(Self.name) 60 IN CNAME 9.9.9.9.in-addr.arpa.", Self.ptr])
        #expect(exchange.resolved?.rule == .reverse)
    }

    @Test(arguments: [RecordType.txt, .a, .aaaa, .mx, .soa, .ds])
    func `other types at a name that has a PTR record have no data, and at others the name does not exist`(
        type: RecordType
    ) throws {
        for hasPTR in [true, false] {
            let exchange = try Exchange(
                Self.name.description, type, outcomes: [hasPTR ? answer(.noError, [Self.ptr]) : answer(.nameError)])
            #expect(exchange.lookedUp == ["9.9.9.9.in-addr.arpa. IN PTR"])
            #expect(exchange.records.isEmpty && exchange.code == (hasPTR ? .noError : .nameError))
            #expect(exchange.resolved?.answer.authority.map(\.type) == [.soa])
        }
    }

    @Test func `a type that the alias answers is answered by it`() throws {
        let alias = "\(Self.name) 60 IN CNAME 9.9.9.9.in-addr.arpa."
        var exchange = try Exchange(Self.name.description, .cname, outcomes: [answer(.noError, [Self.ptr])])
        #expect(exchange.records == [alias])
        exchange = try Exchange(Self.name.description, .any, outcomes: [answer(.noError, [Self.ptr])])
        #expect(exchange.records == [alias, Self.ptr])
    }

    @Test func `a failure behind the alias is passed on`() throws {
        let exchange = try Exchange(Self.name.description, .ptr, outcomes: [answer(.serverFailure)])
        #expect(exchange.code == .serverFailure && exchange.records.isEmpty)
        #expect(try Exchange(Self.name.description, .ptr, outcomes: [.timedOut]).code == .serverFailure)
    }

    @Test func `the reverse zone has a SOA and an NS record, with the names that are configured`() throws {
        let apex = "0.0.0.0.0.0.0.0.0.0.0.0.4.6.0.0.8.b.d.0.1.0.0.2.ip6.arpa."
        let soa = try Exchange(apex, .soa, outcomes: [])
        #expect(soa.records == ["\(apex) 600 IN SOA \(apex) nobody.invalid. 1 3600 1200 604800 600"])
        var policy = SynthesisPolicy.test
        policy.reverseServer = try DomainName("dns64.example.net")
        policy.reverseContact = try DomainName("hostmaster.example.net")
        let named = try Exchange(apex, .any, policy: policy, outcomes: [])
        #expect(
            named.records == [
                "\(apex) 600 IN SOA dns64.example.net. hostmaster.example.net. 1 3600 1200 604800 600",
                "\(apex) 600 IN NS dns64.example.net.",
            ])
        #expect(try Exchange(apex, .txt, outcomes: []).code == .noError)
    }

    @Test(
        arguments: [
            ("9.0.9.0.", ResponseCode.noError), ("x.", .nameError), ("10.", .nameError),
            ("1.9.0.9.0.9.0.9.0.", .nameError),
        ])
    func `names between the zone and its addresses exist, and others do not (RFC 8020 §2)`(
        front: String, code: ResponseCode
    ) throws {
        let exchange = try Exchange(
            front + "0.0.0.0.0.0.0.0.0.0.0.0.4.6.0.0.8.b.d.0.1.0.0.2.ip6.arpa.", .ptr, outcomes: [])
        #expect(exchange.lookedUp.isEmpty && exchange.code == code && exchange.records.isEmpty)
    }

    @Test
    func `reverse names are read and written (RFC 3596 §2.5)`() throws {
        let address = IPv6Address("4321:0:1:2:3:4:567:89ab")!
        let name = ReverseName.name(of: address)
        #expect(name.description == "b.a.9.8.7.6.5.0.4.0.0.0.3.0.0.0.2.0.0.0.1.0.0.0.0.0.0.0.1.2.3.4.ip6.arpa.")
        #expect(ReverseName.ipv6Address(of: name) == address)
        #expect(try ReverseName.ipv6Address(of: DomainName(name.description.uppercased())) == address)
    }

    @Test(arguments: [RecordType.a, .mx, .txt, .https, .any, .init(rawValue: 65_280)])
    func `all other types pass unchanged, A among them (§5.3.3)`(type: RecordType) throws {
        let outcome = try answer(.noError, ["a.test. 300 IN A 203.0.113.1"], isAuthentic: true)
        let exchange = try Exchange("a.test", type, outcomes: [outcome])
        #expect(exchange.lookedUp == ["a.test. IN \(type)"])
        #expect(exchange.resolved.map { .answered($0.answer) } == outcome)
    }
}
