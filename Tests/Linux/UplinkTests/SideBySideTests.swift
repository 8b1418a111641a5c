// SPDX-License-Identifier: Apache-2.0
import Foundation
import NetworkLab
import TestSupport
import Testing

@Suite(.serialized, .enabled(if: geteuid() == 0, "needs root to make a host, and /dev/net/tun"))
struct SideBySideTests {
    private static let links = [
        "nat64sim- 192.0.2.0/24 2e00:2:0:1::/64", "nat64sim2- 198.19.1.0/24 2e00:2:0:101::/64",
        "nat64sim3- 198.19.2.0/24 2e00:2:0:102::/64",
    ]

    @Test func `each has names, tables and addresses of its own`() throws {
        let lab = try Lab()
        let before = try lab.state()
        let probes = try (0..<3).map { _ in try Probe(at: lab) }
        #expect(probes.map(\.link) == Self.links)
        let during = try lab.state()
        for table in ["nat64sim", "nat64sim2", "nat64sim3"] { #expect(during.contains("table inet \(table) {")) }
        for probe in probes { probe.close() }
        #expect(try lab.state() == before)
    }

    /// Each kills one of three: whichever it is, the first of them switched forwarding on.
    @Test(arguments: 0..<3)
    func `SIGKILL of one leaves the others whole`(_ victim: Int) throws {
        let lab = try Lab()
        let before = try lab.state()
        let probes = try (0..<3).map { _ in try Probe(at: lab) }
        let others = try Lab.tables(in: lab.state()).enumerated().filter { $0.offset != victim }.map(\.element)
        probes[victim].killed()
        try eventually("its table is gone") { try Lab.tables(in: lab.state()) == others }
        #expect(try lab.forwarding() == "1")
        let successor = try Probe(at: lab)
        #expect(successor.link?.split(separator: " ").first == Self.links[victim].split(separator: " ").first)
        successor.close()
        #expect(try Lab.tables(in: lab.state()) == others)
        for (number, probe) in probes.enumerated() where number != victim { probe.close() }
        #expect(try lab.state() == before)
    }

    @Test func `clients of both are served, and do not reach each other`() throws {
        let lab = try Lab()
        // Each allows the other's network, so that only the rules between interfaces separate them.
        let first = try Probe(at: lab, allow: ["198.19.0.0/16"])
        let second = try Probe(at: lab, allow: ["192.0.2.0/24"])
        try lab.connectClient()
        try lab.connectNeighbour()
        for client in [Lab.Place.client, .neighbour] {
            #expect(try lab.reaches("8.8.4.4", from: client))
            #expect(try !lab.reaches("203.0.113.2", from: client))
        }
        func pings(_ client: Lab.Place, _ address: String) throws -> Bool {
            try lab.output(at: client, "ping", "-c", "1", "-W", "1", address).status == 0
        }
        #expect(try pings(.host, "192.0.2.64") == false && pings(.host, "198.19.1.64") == false)
        #expect(try pings(.client, "192.0.2.1") && pings(.neighbour, "198.19.1.1"))
        for (client, address) in [
            (Lab.Place.client, "198.19.1.64"), (.client, "198.19.1.1"), (.neighbour, "192.0.2.64"),
            (.neighbour, "192.0.2.1"),
        ] { #expect(try !pings(client, address), "\(address)") }

        first.killed()
        try eventually("the first one's table is gone") { try Lab.tables(in: lab.state()).count == 1 }
        #expect(try lab.reaches("8.8.4.4", from: .neighbour))
        #expect(try !pings(.client, "8.8.4.4"))
        second.close()
        #expect(try lab.forwarding() == "0")
    }

    @Test func `nobody's forwarding is switched on for others`() throws {
        let lab = try Lab()
        let probes = try (0..<2).map { _ in try Probe(at: lab) }
        let rules = try lab.output(at: .host, "nft", "list", "chains", "inet").text
        #expect(rules.components(separatedBy: "policy drop").count == 3, "\(rules)")
        // The client is no simulator's.
        try lab.connectClient()
        _ = try lab.output(at: .host, "ip", "link", "set", "nat64sim-7", "down", "name", "other")
        _ = try lab.output(at: .host, "ip", "link", "set", "other", "up")
        _ = try lab.output(at: .host, "ip", "route", "add", "192.0.2.64/32", "dev", "other")
        _ = try lab.output(at: .host, "sysctl", "-qw", "net.ipv4.conf.other.proxy_arp=1")
        _ = try lab.output(at: .server, "ip", "route", "add", "192.0.2.64/32", "via", "203.0.113.2")
        #expect(try lab.output(at: .client, "ping", "-c", "1", "-W", "1", "203.0.113.2").status == 0)
        #expect(try lab.output(at: .client, "ping", "-c", "1", "-W", "1", "8.8.4.4").status != 0)
        for probe in probes { probe.close() }
    }

    @Test(arguments: [true, false])
    func `what a killed one has left goes with the next start or the last end`(_ starts: Bool) throws {
        let lab = try Lab()
        let before = try lab.state()
        let probes = try (0..<2).map { _ in try Probe(at: lab) }
        let number = try #require(probes[0].number)
        _ = try lab.output(at: .host, "pkill", "-KILL", "-P", "\(number)")
        probes[0].killed()
        #expect(try Lab.tables(in: lab.state()).count == 2)
        if starts {
            let successors = try (0..<2).map { _ in try Probe(at: lab) }
            #expect(try Lab.tables(in: lab.state()).count == 3)
            for successor in successors.reversed() { successor.close() }
            #expect(try Lab.tables(in: lab.state()) == ["nat64sim2"])
            #expect(try lab.forwarding() == "1")
        }
        probes[1].close()
        #expect(try lab.state() == before)
    }

    @Test func `many start and end at once`() throws {
        let lab = try Lab()
        let before = try lab.state()
        for round in 0..<3 {
            let probes = try (0..<6).map { _ in try Probe(at: lab, waits: false) }
            // A half of them ends while others start.
            for (number, probe) in probes.enumerated() {
                probe.awaitOpening()
                #expect(probe.error == nil)
                if number % 2 == 0 { if round == 1 { probe.killed() } else { probe.close() } }
            }
            try eventually("three are left") { try Lab.tables(in: lab.state()).count == 3 }
            #expect(try lab.forwarding() == "1")
            for (number, probe) in probes.enumerated() where number % 2 == 1 { probe.endInput() }
            for (number, probe) in probes.enumerated() where number % 2 == 1 { probe.awaitEnd() }
            #expect(try lab.state() == before)
        }
    }
}

extension Lab {
    fileprivate static func tables(in state: String) -> [String] {
        state.split(separator: "\n").filter { $0.hasPrefix("table inet nat64sim") }.map {
            String($0.split(separator: " ")[2])
        }
    }

    fileprivate func forwarding() throws -> String {
        try output(at: .host, "cat", "/proc/sys/net/ipv4/ip_forward").text.trimmingCharacters(
            in: .whitespacesAndNewlines)
    }
}
