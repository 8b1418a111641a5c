// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSServer
import Foundation
import LinuxNet
import ScenarioClient
import Scenarios
import Testing
import Wire
import TestSupport

/// The scenarios of fixtures/dns64 against our own server, over the sockets of this machine's loopback.
@Suite("Scenarios against a running server")
struct RunningServerTests {
    /// IPv4 and IPv6 loopback addresses; 127.0.0.0/8 is all this machine's.
    private static func isLocal(_ address: IPAddress) -> Bool {
        switch address {
        case .ipv4(let address): IPv4Prefix("127.0.0.0/8")!.contains(address)
        case .ipv6(let address): address == .loopback
        }
    }

    private static func all() throws -> [ScenarioFile] {
        let directory = URL(filePath: projectRoot).appending(path: "fixtures/dns64")
        let files = try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
        return try files.filter { $0.pathExtension == "scenario" }.sorted { $0.path < $1.path }.map {
            try ScenarioFile(name: $0.lastPathComponent, text: String(contentsOf: $0, encoding: .utf8))
        }
    }

    private static func play(_ file: ScenarioFile) throws -> ScenarioRunner<ServerUnderTest>.Outcome {
        let service = try DNSService(
            file.configuration(), listeningOn: [SocketAddress(IPv4Address(127, 0, 0, 1), port: 0)])
        try service.start()
        defer { service.stop() }
        let server = ServerUnderTest(at: service.addresses, timeout: .milliseconds(500))
        var runner = ScenarioRunner(file, against: server)
        return try runner.run()
    }

    @Test
    func `every scenario that needs neither time nor forwarders of its own goes as it says`() throws {
        var played: [String] = []
        var obstacles: [String: String] = [:]
        for file in try Self.all() {
            if let obstacle = try file.obstacle(isLocal: Self.isLocal) {
                obstacles[file.name] = obstacle
            } else {
                let outcome = try Self.play(file)
                #expect(outcome.checks > 0, "\(file.name)")
                played.append(file.name)
            }
        }
        // Which these are is part of what is tested: a scenario that can no longer be played would go unnoticed.
        let playable = [
            "aliases", "exclusion", "faults", "other-classes-and-types", "prefixes", "reverse", "signed-zone", "ttl",
            "well-known-prefix",
        ]
        #expect(played == playable.map { $0 + ".scenario" })
        #expect(obstacles["forwarding.scenario"] == "its forwarders are played by the scenario")
        #expect(obstacles["late-replies.scenario"] == "time passes in it")
        #expect(obstacles["ranges.scenario"]?.contains("which is no address of this machine") == true)
    }

    @Test
    func `what goes otherwise than the scenario says is told with its line`() throws {
        let file = try ScenarioFile(
            name: "s.scenario",
            text: """
                network: any
                    clauses: [64:ff9b::/96]
                world:
                    a.test. A 9.9.9.9
                query: a.test AAAA
                rule: RFC 6147 §5.1.6
                reply: NOERROR qr rd ra
                    a.test. AAAA 64:ff9b::909:90a
                """)
        let failure = try #require(throws: ScenarioFile.Failure.self) { try Self.play(file) }
        #expect(failure.description.hasPrefix("s.scenario:7: the section is different"))
    }

    @Test
    func `whoever asks from another address is another client`() throws {
        let file = try ScenarioFile(
            name: "s.scenario",
            text: """
                network: 127.0.0.0/8
                    clauses:
                      - { prefix: 64:ff9b::/96, clients: [127.0.0.2] }
                      - { prefix: 2001:db8:64::/96, clients: ["!127.0.0.2", 127.0.0.0/24] }
                world:
                    a.test. A 9.9.9.9
                query: +from=127.0.0.2 a.test AAAA
                reply: NOERROR qr rd ra
                    a.test. AAAA 64:ff9b::909:909
                query: +tcp +from=127.0.0.2 a.test AAAA
                reply: NOERROR qr rd ra
                    a.test. AAAA 64:ff9b::909:909
                query: +from=127.0.0.3 a.test AAAA
                reply: NOERROR qr rd ra
                    a.test. AAAA 2001:db8:64::909:909
                query: +tcp +from=127.0.1.1 a.test AAAA
                reply: NOERROR qr rd ra
                """)
        #expect(try Self.play(file).checks == 8)
    }
}
