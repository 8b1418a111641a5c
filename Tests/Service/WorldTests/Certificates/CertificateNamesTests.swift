// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Testing
import Wire

@testable import ConfigurationText
@testable import World

@Suite("Whom a certificate is made out to") struct CertificateNamesTests {
    private func names(_ world: World, port: UInt16 = 443, _ address: String = "198.51.100.1") throws -> ServedNames {
        let service = world.services.first { $0.port == port && $0.address == IPAddress(address) }
        return ServedNames(try #require(service), in: world)
    }

    private func text(_ names: ServedNames) -> [String] {
        names.hosts.map { "\($0.host): " + $0.names.map(\.description).joined(separator: " ") }
    }

    private func world(_ text: String) throws -> World {
        try World(yaml: Array(text.utf8), name: "w.yaml")
    }

    @Test func `a host and its aliases, and none of its addresses`() throws {
        #expect(try text(names(.demo, "198.51.100.10")) == ["shop.test.: shop.test. www.shop.test."])
        #expect(try text(names(.demo, "2e00:2:0:cafe::20")) == ["dual.test.: dual.test."])
    }

    @Test func `each host by itself; a name that only has an address is of the first`() throws {
        let world = try world(
            """
            version: 1
            hosts:
              a.test: { addresses: 198.51.100.1, services: https }
              b.test: { addresses: 198.51.100.1, services: https }
              c.test: { addresses: 198.51.100.1, services: http }
            records:
              - d.test CNAME e.test
              - e.test CNAME b.test
              - f.test A 198.51.100.1
              - g.test A 198.51.100.2
              - h.test CNAME f.test
            """)
        #expect(
            try text(names(world)) == ["a.test.: a.test. f.test. h.test.", "b.test.: b.test. e.test. d.test."])
    }

    @Test(arguments: [
        ("b.test", "b.test."), ("B.Test.", "b.test."), ("www.b.test", "b.test."), ("x.wild.test", "*.wild.test."),
        ("x.y.wild.test", nil), ("wild.test", nil), ("c.test", nil), ("", nil), ("198.51.100.1", nil), ("..", nil),
    ]) func `a client finds a host by any of its names`(text: String, host: String?) throws {
        let world = try world(
            """
            version: 1
            hosts:
              b.test: { addresses: 198.51.100.1, services: https }
              "*.wild.test": { addresses: 198.51.100.1, services: https }
            records:
              - www.b.test CNAME b.test
            """)
        #expect(try names(world).host(named: text)?.description == host)
        #expect(try names(world).host(ofAuthority: text + ":443")?.description == host)
        #expect(try names(world).host(ofAuthority: "[\(text)]") == nil)
    }

    @Test func `aliases in a circle end the search`() throws {
        let world = World(
            hosts: [],
            records: [
                try ResourceRecord(presentation: "b.test CNAME a.test", defaultTTL: 1),
                try ResourceRecord(presentation: "a.test CNAME b.test", defaultTTL: 1),
            ], zones: [], forwarders: nil, validation: nil,
            services: [
                World.Service(
                    kind: .https, address: IPAddress("198.51.100.1")!, port: 443, hostNames: [try DomainName("a.test")])
            ])
        #expect(try text(names(world)) == ["a.test.: a.test. b.test."])
    }
}
