// SPDX-License-Identifier: Apache-2.0
@testable import ConfigurationText
import DNSWire
import Foundation
import TestSupport
import Testing
import Wire

@Suite("The demo world") struct DemoWorldTests {
    static let file = Array(try! Data(contentsOf: URL(filePath: "\(projectRoot)fixtures/worlds/demo.yaml")))

    @Test func `is that of its file, in all its parts`() throws {
        let read = try World(yaml: Self.file, name: "demo.yaml")
        #expect(World.demo.hosts == read.hosts)
        #expect(World.demo.records == read.records)
        #expect(World.demo.reverseRecords == read.reverseRecords)
        #expect(World.demo.services == read.services)
        // Compares also properties that a world may get later.
        #expect("\(World.demo)" == "\(read)")
    }

    @Test func `is the table of the manual`() {
        let records = World.demo.records.map { "\($0.name) \($0.type) \($0.data)" }
        #expect(
            records == [
                "shop.test. A 198.51.100.10",
                "two.test. A 198.51.100.10",
                "two.test. A 198.51.100.11",
                "echo.test. A 198.51.100.7",
                "dual.test. A 198.51.100.20",
                "dual.test. AAAA 2e00:2:0:cafe::20",
                "six.test. AAAA 2e00:2:0:cafe::6",
                "www.shop.test. CNAME shop.test.",
                "mail.test. MX 10 shop.test.",
            ])
    }

    @Test func `listens where the table says, once per address and port`() {
        let services = World.demo.services.map { service in
            let names = service.hostNames.map(\.description).joined(separator: " ")
            return "\(service.address.description(port: service.port)) \(service.kind.word) \(names)"
        }
        #expect(
            services == [
                "198.51.100.7:7 tcp-echo echo.test.",
                "198.51.100.7:7 udp-echo echo.test.",
                "198.51.100.10:80 http shop.test. two.test.",
                "198.51.100.10:443 https shop.test.",
                "198.51.100.11:80 http two.test.",
                "198.51.100.20:80 http dual.test.",
                "198.51.100.20:443 https dual.test.",
                "[2e00:2:0:cafe::6]:80 http six.test.",
                "[2e00:2:0:cafe::6]:443 https six.test.",
                "[2e00:2:0:cafe::20]:80 http dual.test.",
                "[2e00:2:0:cafe::20]:443 https dual.test.",
            ])
    }

    @Test func `has each address once`() {
        #expect(
            World.demo.ipv4Addresses.map(\.description) == [
                "198.51.100.7", "198.51.100.10", "198.51.100.11", "198.51.100.20",
            ])
        #expect(World.demo.ipv6Addresses.map(\.description) == ["2e00:2:0:cafe::6", "2e00:2:0:cafe::20"])
    }
}
