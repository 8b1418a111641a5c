// SPDX-License-Identifier: Apache-2.0
import Evidence
import Foundation
import TestSupport
import Testing
import Wire

@testable import Topology

@Suite struct NetworkEntryTests {
    /// The tables of docs/networks.md, made of the catalogue: a head, and a row for each network.
    private static let tables = [
        ["| name | what there is | what it shows |", "| --- | --- | --- |"]
            + Network.allCases.map { "| `\($0.rawValue)` | \($0.entry.contents) | \($0.entry.purpose) |" },
        ["| name | the client | its DNS servers |", "| --- | --- | --- |"]
            + Network.allCases.map { network in
                "| `\(network.rawValue)` | \(list(ClientSlot.first.linkAddresses(on: network))) | \(list(network.entry.resolvers(on: .standard))) |"
            },
    ]

    private static func list(_ values: [some CustomStringConvertible]) -> String {
        values.map(\.description).joined(separator: ", ")
    }

    /// `UPDATE_GOLDEN=1` writes them anew.
    @Test func `the tables of docs are the catalogue's`() throws {
        let path = projectRoot + "docs/networks.md"
        var lines = try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "\n")
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
            for table in Self.tables {
                let start = try #require(lines.firstIndex(of: table[0]))
                let end = lines[start...].firstIndex { !$0.hasPrefix("|") } ?? lines.endIndex
                lines.replaceSubrange(start..<end, with: table)
            }
            try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
        }
        for table in Self.tables {
            let start = try #require(lines.firstIndex(of: table[0]))
            #expect(Array(lines[start...].prefix { $0.hasPrefix("|") }) == table)
        }
    }

    @Test(arguments: Network.allCases) func `a network has a family, and a resolver of each that it has`(
        _ network: Network
    ) {
        let entry = network.entry
        #expect(!entry.resolvers(on: .standard).isEmpty)
        #expect(entry.resolvers(on: .standard).contains { $0.ipv4 != nil } == (entry.ipv4 != nil))
        #expect(entry.resolvers(on: .standard).contains { $0.ipv4 == nil } == (entry.ipv6 != nil))
    }

    @Test func `what there is, is said in a line`() {
        #expect(Network.nat64.entry.contents == "IPv6 only, DNS64 and NAT64")
        #expect(Network.nat64NoDNS64.entry.contents == "IPv6 only, NAT64 and no DNS64")
        #expect(Network.nat64CLAT.entry.contents == "IPv6, and IPv4 through a CLAT, DNS64 and NAT64")
        #expect(Network.strictNoLoopback4.entry.contents == "IPv6 only, no DNS64 and no NAT64, no 127.0.0.0/8")
        #expect(Network.ipv4Only.entry.contents == "IPv4 only")
        #expect(Network.dualStack.entry.contents == "IPv4 and IPv6")
    }
}
