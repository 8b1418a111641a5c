// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Diagnosis
import Evidence
import EvidenceSupport
import Testing
import Wire

/// Observations of TLS and HTTP by the world's servers.
@Suite struct ServedConnectionRuleTests {
    private func findings(_ name: String?, dependsOnName: Bool, _ change: (inout ServedConnection) -> Void) -> [String]
    {
        var connection = ServedConnection(time: .zero, address: "198.51.100.10", port: 443)
        connection.tls = TLSHandshake(serverName: name, dependsOnName: dependsOnName)
        connection.tls!.end = .completed
        connection.wasEndedByClient = true
        change(&connection)
        var run = here()
        run.seen.connections = [connection]
        return Verdict(run: run, control: nil).findings.map(\.rule.id).filter { $0.hasPrefix("V6C-08") }
    }

    @Test(arguments: [nil, "198.51.100.10", "64:ff9b::c633:640a"])
    func `a certificate that is refused without a server name`(name: String?) {
        for end in [TLSHandshake.End.completed, .refusedByClient(alert: 42), .refusedByClient(alert: 48)] {
            #expect(findings(name, dependsOnName: true) { $0.tls!.end = end } == ["V6C-080"])
            #expect(findings(name, dependsOnName: false) { $0.tls!.end = end } == ["V6C-081"])
            #expect(findings("a.test", dependsOnName: true) { $0.tls!.end = end }.isEmpty)
        }
        #expect(findings(name, dependsOnName: true) { $0.tls!.end = .refusedByServer(alert: 109) } == ["V6C-080"])
        // Node closes the connection in the middle of the handshake.
        let left = findings(name, dependsOnName: false) {
            $0.tls!.end = .left
            $0.tls!.certificateNames = ["a.test"]
        }
        #expect(left == ["V6C-081"])
    }

    @Test func `what says nothing of the certificate`() {
        for end in [TLSHandshake.End.open, .left, .failed, .refusedByClient(alert: 70)] {
            #expect(findings(nil, dependsOnName: false) { $0.tls!.end = end }.isEmpty)
        }
        #expect(findings(nil, dependsOnName: false) { $0.tls!.isBad = true }.isEmpty)
        #expect(findings(nil, dependsOnName: false) { $0.wasEndedByClient = false }.isEmpty)
        #expect(
            findings(nil, dependsOnName: true) {
                $0.exchanges = [HTTPExchange(method: "GET", host: "a.test", path: "/")]
            }.isEmpty)
    }

    @Test(arguments: [
        ("198.51.100.10", true), ("198.51.100.10:8080", true), ("[64:ff9b::1]:80", true), ("other.test", false),
        ("", false), ("[", false),
    ]) func `a host that is an address, and unknown`(host: String, isAddress: Bool) {
        func met(isUnknown: Bool, status: Int?) -> [String] {
            findings("a.test", dependsOnName: false) {
                var exchange = HTTPExchange(method: "GET", host: host, path: "/")
                exchange.isForUnknownHost = isUnknown
                exchange.status = status
                $0.exchanges = [exchange]
            }
        }
        #expect(met(isUnknown: true, status: 404) == (isAddress ? ["V6C-082"] : []))
        #expect(met(isUnknown: false, status: 404).isEmpty && met(isUnknown: true, status: nil).isEmpty)
    }
}
