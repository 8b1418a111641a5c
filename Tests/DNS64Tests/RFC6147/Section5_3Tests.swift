import DNS64
import DNSWire
import Testing
import Translation
import Wire

@Suite("RFC 6147 §5.3: other records")
struct Section5_3Tests {
    @Test(
        "the reverse name of an address under every prefix length leads to in-addr.arpa (§5.3.1)",
        arguments: Pref64.lengths)
    func everyLength(length: Int) throws {
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

    @Test(
        "ip6.arpa names that are no whole address, or none at all, are looked up as they are",
        arguments: [
            "b.9.f.f.4.6.0.0.ip6.arpa", "ip6.arpa", "x." + String(repeating: "0.", count: 31) + "ip6.arpa",
            "10." + String(repeating: "0.", count: 31) + "ip6.arpa", String(repeating: "0.", count: 33) + "ip6.arpa",
        ])
    func otherNames(name: String) throws {
        let exchange = try Exchange(name, .ptr, outcomes: [answer(.nameError)])
        #expect(exchange.lookedUp == ["\(name). IN PTR"])
        #expect(exchange.resolved?.rule == .otherType)
    }

    @Test("reverse names are read and written (RFC 3596 §2.5)")
    func reverseNames() throws {
        let address = IPv6Address("4321:0:1:2:3:4:567:89ab")!
        let name = ReverseName.name(of: address)
        #expect(name.description == "b.a.9.8.7.6.5.0.4.0.0.0.3.0.0.0.2.0.0.0.1.0.0.0.0.0.0.0.1.2.3.4.ip6.arpa.")
        #expect(ReverseName.ipv6Address(of: name) == address)
        #expect(try ReverseName.ipv6Address(of: DomainName(name.description.uppercased())) == address)
    }

    @Test(
        "all other types pass unchanged, A among them (§5.3.3)",
        arguments: [RecordType.a, .mx, .txt, .https, .any, .init(rawValue: 65_280)])
    func otherTypes(type: RecordType) throws {
        let outcome = try answer(.noError, ["a.test. 300 IN A 203.0.113.1"], isAuthentic: true)
        let exchange = try Exchange("a.test", type, outcomes: [outcome])
        #expect(exchange.lookedUp == ["a.test. IN \(type)"])
        #expect(exchange.resolved.map { .answered($0.answer) } == outcome)
    }
}
