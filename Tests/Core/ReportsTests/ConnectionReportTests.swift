// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Diagnosis
import Evidence
import EvidenceSupport
import Testing
import Wire

@testable import Reports

/// Connections in reports, with names from TLS and the programs that looked the host up.
@Suite struct ConnectionReportTests {
    private static func flow(_ address: IPv4Address, _ port: UInt16 = 443, _ names: [String?] = []) -> Flow {
        let remote = IPv6Address(bits: 0x64_ff9b << 96 | UInt128(address.bits))
        var flow = Flow(
            .tcp, .ipv6(remote), port, .translated(address), attempts: 1, accepted: 1, bytesSent: 800,
            bytesReceived: 1600)
        flow.times = FlowTimes(first: .milliseconds(20), answer: .milliseconds(23), last: .milliseconds(90))
        for name in names {
            var hello = ClientHello()
            hello.serverName = name
            hello.applicationProtocols = ["h2", "http/1.1"]
            if flow.hellos == nil { flow.hellos = SentHellos() }
            _ = flow.hellos?.add(hello)
        }
        return flow
    }

    @Test func `a client of a server has one row, whatever ports its connections have`() {
        let ports: [UInt16] = [40_001, 40_002, 40_003]
        let direct = ports.map {
            Flow(.tcp, .ipv6(IPv6Address("2e00::6")!), $0, .direct, isInbound: true, bytesReceived: 10)
        }
        let single = Flow(
            .tcp, .ipv6(IPv6Address("64:ff9b::c633:6407")!), 50_000, .translated(Self.shop), isInbound: true)
        #expect(
            phrases(inbound: [direct[0], single, direct[1], direct[2]]) == [
                "(a client)  tcp  2e00::6  3 connections  0 B sent, 30 B received",
                "(a client)  tcp 50000  64:ff9b::c633:6407 → 198.51.100.10  0 B sent, 0 B received",
            ])
    }

    private static func connection(
        _ address: IPv4Address, at milliseconds: Int, serverName: String?, _ requests: [HTTPExchange] = [],
        end: TLSHandshake.End = .completed
    ) -> ServedConnection {
        var connection = ServedConnection(time: .milliseconds(milliseconds), address: .ipv4(address), port: 443)
        connection.tls = TLSHandshake(serverName: serverName, dependsOnName: true)
        connection.tls?.end = end
        if end == .completed {
            connection.tls?.applicationProtocol = "h2"
            connection.tls?.duration = .milliseconds(4)
            connection.httpVersion = "HTTP/2"
        }
        connection.exchanges = requests
        return connection
    }

    private static func request(_ path: String, at milliseconds: Int, status: Int? = 200) -> HTTPExchange {
        var exchange = HTTPExchange(method: "GET", host: "shop.test", path: path)
        exchange.time = .milliseconds(milliseconds)
        exchange.status = status
        if status != nil {
            exchange.firstOctet = .milliseconds(milliseconds + 2)
            exchange.end = .milliseconds(milliseconds + 5)
        }
        return exchange
    }

    private static let shop = IPv4Address(198, 51, 100, 10)
    private static let direct = IPv4Address(198, 51, 100, 20)
    private static let told = IPv4Address(198, 51, 100, 30)
    private static let literal = IPv4Address(198, 51, 100, 40)
    private static let unknown = IPv4Address(198, 51, 100, 50)

    /// A client that gets to hosts in every way that there is.
    private static func report(end: ExitOutcome = .exited(status: 0)) -> RunReport {
        var run = RunEvidence(
            network: .nat64, end: end, duration: .milliseconds(100),
            questions: [
                RepeatedQuery("shop.test", .aaaa, ["64:ff9b::c633:640a"], from: [shop], rule: .noAAAA),
                RepeatedQuery("direct.test", .aaaa, ["64:ff9b::c633:6414"], from: [direct], rule: .noAAAA),
            ],
            flows: [
                flow(shop, 443, ["shop.test", "shop.test"]), flow(direct, 443, ["other.test"]),
                flow(told, 443, ["told.test"]), flow(literal, 443, [nil]), flow(unknown),
            ],
            profile: .apple,
            lookups: [
                Lookup(
                    call: .getaddrinfo, node: "shop.test", answers: ["64:ff9b::c633:640a"], program: "fetch",
                    module: "fetch", offset: 0x4a10, process: 812),
                Lookup(
                    call: .getaddrinfo, node: "198.51.100.40", answers: ["64:ff9b::c633:6428"], outcome: .literal,
                    program: "fetch", process: 812),
            ])
        run.seen.servedQueries = [
            ServedQuery(
                address: "198.51.100.53", port: 443, carrier: .https,
                question: Question(name: "told.test", type: .a), addresses: [.ipv4(told)])
        ]
        run.seen.connections = [
            connection(shop, at: 24, serverName: "shop.test", (0..<6).map { request("/\($0)", at: 5 + $0) }),
            connection(direct, at: 30, serverName: "other.test", [request("/", at: 6, status: 404)]),
            connection(told, at: 40, serverName: "told.test", [request("/\u{1b}", at: 6, status: nil)]),
            connection(literal, at: 50, serverName: nil, end: .refusedByClient(alert: 42)),
            connection(unknown, at: 60, serverName: nil),
        ]
        run.seen.lost.connections = 7
        return RunReport(command: ["./fetch"], pref64: "64:ff9b::/96", run: run, control: nil)
    }

    private func render(_ report: RunReport, verbose: Bool = false) -> String {
        TerminalReport.render(report, style: TerminalStyle(isColoured: false), verbose: verbose)
    }

    @Test func `a verbose report has each connection, with its times and who looked the host up`() throws {
        try expectGolden(render(Self.report(), verbose: true), "connections-verbose.txt")
        try expectGolden(
            String(decoding: JSONReport(Self.report(), exitCode: 0).encoded(), as: UTF8.self), "connections.json")
    }

    @Test func `another is short, and of a client that failed it has what went wrong`() throws {
        #expect(!render(Self.report()).contains("  servers "))
        try expectGolden(render(Self.report(end: .exited(status: 1))), "connections.txt")
    }

    @Test func `many connections are cut, and counted`() {
        var report = Self.report()
        report.run.seen.connections = Array(repeating: report.run.seen.connections[0], count: 250)
        let rows = render(report, verbose: true).split(separator: "\n")
        #expect(rows.filter { $0.contains("198.51.100.10:443 (") }.count == 100)
        #expect(rows.contains { $0.hasSuffix("… and 157 more connections") })
    }

    /// RFC 8446 §6.2: 48 is unknown_ca; 42 and 46 are sent for a name that does not fit as well.
    @Test(
        arguments: [
            (48, "shop.test", false, true), (48, "other.test", false, true), (48, "shop.test", true, false),
            (42, "SHOP.test", false, true), (46, "shop.test", false, true), (46, "other.test", false, false),
            (42, nil, false, false), (70, "shop.test", false, false),
        ] as [(UInt8, String?, Bool, Bool)])
    func `a client that does not trust the test CA is told so`(
        alert: UInt8, serverName: String?, isBad: Bool, isSaid: Bool
    ) throws {
        var report = Self.report(end: .exited(status: 1))
        var refused = Self.connection(Self.shop, at: 20, serverName: serverName, end: .refusedByClient(alert: alert))
        refused.tls?.certificateNames = ["shop.test"]
        refused.tls?.isBad = isBad
        report.run.seen.connections = [refused]
        #expect(render(report).contains("It refused the certificate of") == isSaid)
        let json = String(decoding: try JSONReport(report, exitCode: 1).encoded(), as: UTF8.self)
        #expect(json.contains("It refused the certificate of") == isSaid)
    }

    @Test func `a page draws the connections that servers saw`() {
        let page = HTMLRunReport.render(Self.report(), pages: { _ in nil }, source: { _, _ in nil })
        #expect(page.contains("<h4>What servers saw</h4>"))
        #expect(page.contains("198.51.100.10:443 (shop.test, looked up by fetch)"))
        #expect(page.contains("TLS without a server name, refused by the client (bad_certificate)"))
    }
}
