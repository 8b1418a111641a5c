import DNSWire
import Testing
import Wire

@testable import ConfigurationText
@testable import World

@Suite("Whom a certificate is made out to") struct CertificateNamesTests {
    private func text(_ names: CertificateNames) -> [String] {
        names.names.map(\.description) + names.addresses.map(\.description)
    }

    @Test func `a host, its aliases and its addresses`() throws {
        let names = try World.demo.certificateNames(ofHosts: [DomainName("shop.test")], synthesise: { _ in [] })
        #expect(text(names) == ["shop.test.", "www.shop.test.", "198.51.100.10"])
    }

    @Test func `both families, and the addresses that a NAT64 makes`() throws {
        let names = try World.demo.certificateNames(ofHosts: [DomainName("dual.test")]) { address in
            [IPv6Address(bits: IPv6Address("64:ff9b::")!.bits | UInt128(address.bits))]
        }
        #expect(text(names) == ["dual.test.", "198.51.100.20", "2001:2:0:cafe::20", "64:ff9b::c633:6414"])
    }

    @Test func `aliases of aliases, names that only have an address, and no other host`() throws {
        let world = try World(
            yaml: Array(
                """
                version: 1
                hosts:
                  a.test: { addresses: 198.51.100.1, services: https }
                  b.test: { addresses: 198.51.100.1, services: http }
                records:
                  - d.test CNAME c.test
                  - c.test CNAME a.test
                  - e.test A 198.51.100.1
                  - f.test A 198.51.100.2
                  - g.test CNAME e.test
                """.utf8), name: "w.yaml")
        let names = try world.certificateNames(ofHosts: [DomainName("a.test")], synthesise: { _ in [] })
        #expect(text(names) == ["a.test.", "e.test.", "c.test.", "g.test.", "d.test.", "198.51.100.1"])
    }

    @Test func `aliases in a circle end the search`() throws {
        let world = World(
            hosts: [],
            records: [
                try ResourceRecord(presentation: "b.test CNAME a.test", defaultTTL: 1),
                try ResourceRecord(presentation: "a.test CNAME b.test", defaultTTL: 1),
            ], zones: [], forwarders: nil, validation: nil, services: [])
        let names = try world.certificateNames(ofHosts: [DomainName("a.test")], synthesise: { _ in [] })
        #expect(text(names) == ["a.test.", "b.test."])
    }
}
