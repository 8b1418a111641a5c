// SPDX-License-Identifier: Apache-2.0
@testable import ConfigurationText
import DNSWire
import Testing
import Wire

@Suite("What follows from the addresses of a world") struct ReverseRecordTests {
    @Test func `hosts have PTR records, of both families`() throws {
        let world = try world(
            """
            version: 1
            hosts:
              a.test: { addresses: [198.51.100.1, 2e00:2:0:cafe::1], ttl: 60 }
              b.test: { addresses: [198.51.100.1] }
            """)
        #expect(
            world.reverseRecords.map(\.description) == [
                "1.100.51.198.in-addr.arpa. 60 IN PTR a.test.",
                "1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.e.f.a.c.0.0.0.0.2.0.0.0.0.0.e.2.ip6.arpa. 60 IN PTR a.test.",
                "1.100.51.198.in-addr.arpa. 300 IN PTR b.test.",
            ])
    }

    @Test func `what the file says of a reverse name is all that is said`() throws {
        let world = try world(
            """
            version: 1
            hosts: { a.test: { addresses: [198.51.100.1, 198.51.100.2] } }
            records: [1.100.51.198.in-addr.arpa. PTR other.test.]
            """)
        #expect(world.reverseRecords.map(\.description) == ["2.100.51.198.in-addr.arpa. 300 IN PTR a.test."])
    }

    @Test
    func `the addresses of records are the world's own as those of hosts are, but for those that no host can have`()
        throws
    {
        let world = try world(
            """
            version: 1
            hosts: { a.test: { addresses: [198.51.100.7, 2e00:2:0:cafe::1] } }
            records:
              - b.test A 203.0.113.5
              - b.test A 10.1.2.3
              - c.test A 169.254.169.254
              - d.test A 127.0.0.1
              - e.test A 192.0.2.1
            """)
        #expect(
            world.definedIPv4Addresses == [
                IPv4Address(10, 1, 2, 3), IPv4Address(169, 254, 169, 254), IPv4Address(198, 51, 100, 7),
                IPv4Address(203, 0, 113, 5),
            ])
    }
}
