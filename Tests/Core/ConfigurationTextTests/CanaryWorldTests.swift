// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Suites
import Testing
import Topology
import Translation
import Wire

@testable import ConfigurationText

@Suite struct CanaryWorldTests {
    private let world = World.canaries

    @Test func `every canary but the own machine is a host, and so is every public one`() {
        for canary in Canary.allCases where canary.isInWorld {
            #expect(world.hosts.contains { "\($0.name)" == canary.name + "." && $0.addresses == [canary.address] })
            #expect(world.services.contains { $0.address == canary.address && $0.port == 80 })
        }
        for spelling in CanarySpelling.all {
            guard let host = spelling.publicHost?.split(separator: " ").first else { continue }
            #expect(world.hosts.contains { "\($0.name)" == "\(host)." }, "\(spelling)")
        }
    }

    @Test func `every name of the table has a record`() throws {
        for spelling in CanarySpelling.all {
            let host = spelling.url.dropFirst("http://".count).prefix { $0 != "/" }
            guard host.hasSuffix(Canary.domain), !host.contains("@") else { continue }
            let name = try DomainName(String(host))
            #expect(world.records.contains { $0.name == name }, "\(spelling)")
        }
    }

    @Test func `the NAT64 has the well-known prefix and one of each length`() {
        #expect(world.translatedPrefixes.map(\.prefix.length).sorted() == [32, 40, 48, 56, 64, 96, 96])
        #expect(world.objectionToPrefixes(on: .standard) == nil)
    }

    @Test func `a suite's test becomes one for each spelling`() throws {
        let suite = try suite("- { name: preview, command: [./preview, \"{url}\"], canaries: true }")
        #expect(suite.tests.count == CanarySpelling.all.count)
        #expect(suite.tests.allSatisfy { $0.name.hasPrefix("preview.") && $0.canaries.count == 1 })
    }

    @Test(arguments: [
        ("command: [./preview]", "the command gets no URL"),
        ("command: [./preview, \"{url}\"], networks: [nat64]", "a test with canaries has no networks"),
        ("command: [./preview, \"{url}\"], host-ports: [80]", "a canary listens at port 80"),
        ("command: [./preview, \"{url}\"], expect: { exit: 1 }", "a test with canaries has no expect"),
    ])
    func `what the canaries say themselves, or cannot do without, is told`(_ keys: String, _ problem: String) {
        #expect { try suite("- { name: preview, \(keys), canaries: true }") } throws: { "\($0)".contains(problem) }
    }

    @Test func `a server's test becomes one for each network`() throws {
        let suite = try suite(
            "- { name: previewd, server: { command: [./previewd], ready: { tcp: 8080 } }, probe: { from: ipv6, http: \"/?url={url}\" }, canaries: true }"
        )
        #expect(suite.cases.map(\.id) == ["previewd@nat64", "previewd@dual-stack"])
        #expect {
            try self.suite(
                "- { name: previewd, server: { command: [./previewd], ready: { tcp: 8080 } }, probe: { from: ipv6, http: / }, canaries: true }"
            )
        } throws: { "\($0)".contains("the server gets no URL") }
    }

    private func suite(_ test: String) throws -> Suite {
        try Suite(yaml: Array("version: 1\ntests:\n  \(test)\n".utf8), name: "s.yaml", rules: [])
    }
}
