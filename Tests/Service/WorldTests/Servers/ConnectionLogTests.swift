// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Evidence
import Foundation
import NIOCore
import NIOSSL
import TestSupport
import Testing
import Topology
import Wire

@testable import ConfigurationText
@testable import World

@Suite("What servers see of connections", .timeLimit(.minutes(5))) struct ConnectionLogTests {
    @Test func `who asked for what, and what it got`() async throws {
        try await withService(.http) { service in
            _ = try await service.get("/bytes/1000?a=b", method: "POST")
            let connection = try #require(try await service.seenToTheEnd().first)
            #expect(connection.address == Loopback.ipv4 && connection.tls == nil)
            let exchange = try #require(connection.exchanges.first)
            #expect(exchange.method == "POST" && exchange.host == "host.test" && exchange.path == "/bytes/1000?a=b")
            #expect(exchange.status == 200 && exchange.bytes == 1000 && !exchange.isForUnknownHost)
            #expect(service.seen.count == 1 && connection.exchanges.count == 1)
        }
    }

    @Test func `an interim response is not taken for the answer`() async throws {
        try await withService(.http) { service in
            _ = try await service.get("/echo", method: "POST", fields: ["Expect: 100-continue"], body: "abc")
            #expect(service.seen.first?.exchanges.map(\.status) == [200])
        }
    }

    @Test func `an exchange that is cut short is there with what was sent of it`() async throws {
        let seen = try await withService(.http) { service in
            let connection = try await service.connect()
            try await connection.send("GET /bytes/1099511627776 HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try await connection.receive(atLeast: 1000)
            try await connection.close()
            return try await service.seenToTheEnd()
        }
        let exchange = try #require(seen.first?.exchanges.first)
        #expect(exchange.status == 200 && (1000..<1 << 40).contains(exchange.bytes))
    }

    @Test func `keeps no more of a text than can be read, and no more requests than there is room for`() async throws {
        try await withService(.http) { service in
            let path = "/" + String(repeating: "x", count: 10_000)
            let connection = try await service.connect()
            let count = ConnectionLog.Limits.exchangesOfConnection + 3
            for number in 1...count {
                let last = number == count ? "Connection: close\r\n" : ""
                try await connection.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\(last)\r\n")
            }
            _ = try await connection.receiveToEnd()
            try await connection.close()
            let seen = try #require(try await service.seenToTheEnd().first)
            #expect(seen.exchanges.count == count - 3 && seen.omittedExchanges == 3)
            #expect(seen.exchanges.allSatisfy { $0.path.utf8.count == ConnectionLog.Limits.text && $0.status == 404 })
        }
    }

    @Test func `each client has a log of its own, which ends with its stay`() throws {
        let log = ConnectionLog(now: { .zero + .seconds(3) })
        let service = ServiceEnd(
            World.Service(kind: .http, address: IPAddress("198.51.100.10")!, port: 80, hostNames: []))
        let addresses = (0..<2).map { IPAddress.ipv4(ClientSlot($0).poolAddress) }
        #expect(log.open(addresses[0], service) == nil, "nobody wants to know")
        log.begin(.place(ClientSlot(0)), at: .zero + .seconds(1))
        log.begin(.place(ClientSlot(1)), at: .zero)
        let entry = try #require(log.open(addresses[0], service))
        for _ in 0..<ConnectionLog.Limits.connections { _ = log.open(addresses[0], service) }
        #expect(log.seen(of: .place(ClientSlot(1))).connections.isEmpty)
        let seen = log.end(.place(ClientSlot(0)))
        #expect(seen.connections.count == ConnectionLog.Limits.connections && seen.omittedConnections == 1)
        #expect(seen.connections[0].time == .seconds(2))
        // The next client in that place.
        log.begin(.place(ClientSlot(0)), at: .zero)
        _ = log.open(addresses[0], service)
        log.change(entry) { connection, _ in connection.omittedExchanges = 9 }
        #expect(log.add(HTTPExchange(method: "GET", host: "", path: "/"), to: entry) == nil)
        log.close(entry, byClient: true)
        #expect(
            log.seen(of: .place(ClientSlot(0))).connections == [
                ServedConnection(time: .seconds(3), address: service.address, port: 80)
            ])
        #expect(log.hasStanding(.place(ClientSlot(0))))
    }

    @Test
    func `the same question with the same answer is kept once, and no more different ones than there is room for`()
        throws
    {
        let log = ConnectionLog(now: { .zero + .seconds(3) })
        let peer = IPAddress.ipv4(ClientSlot(0).poolAddress)
        func query(_ name: String, _ addresses: [IPAddress] = []) throws -> ServedQuery {
            ServedQuery(
                address: IPAddress("198.51.100.53")!, port: 853, carrier: .tls,
                question: Question(name: try DomainName(name), type: .a), addresses: addresses)
        }
        log.add(try query("nobody.test"), of: peer)
        log.begin(.place(ClientSlot(0)), at: .zero + .seconds(1))
        for _ in 0..<3 { log.add(try query("one.test"), of: peer) }
        log.add(try query("one.test", [Loopback.ipv4]), of: peer)
        for number in 1..<ConnectionLog.Limits.queries { log.add(try query("\(number).test"), of: peer) }
        let seen = log.end(.place(ClientSlot(0)))
        #expect(seen.queries.count == ConnectionLog.Limits.queries && seen.omittedQueries == 1)
        #expect(seen.queries[0].count == 3 && seen.queries[0].time == .seconds(2))
        #expect(seen.queries[1].count == 1 && seen.queries[1].addresses == [Loopback.ipv4])
    }

    // MARK: TLS

    /// Runs a program of Python that may use `trusted`, `port` and `context`.
    private func python(_ service: RunningService, _ program: String) async throws {
        let trusted = FileManager.default.temporaryDirectory.appending(path: "ipv6check-\(UUID().uuidString).pem")
        try service.authority.certificatePEM.write(to: trusted, atomically: false, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: trusted) }
        let start = """
            import http.client, socket, ssl
            port, trusted = \(service.port), "\(trusted.path)"
            context = ssl.create_default_context(cafile=trusted)
            plain = socket.create_connection(("127.0.0.1", port))
            """
        _ = try await runAside(["python3", "-c", start + "\n" + program])
    }

    @Test(arguments: [
        (
            "context.wrap_socket(plain, server_hostname='host.test').close()", "host.test" as String?,
            TLSHandshake.End.completed
        ),
        ("context.wrap_socket(plain, server_hostname='127.0.0.1')", nil, .refusedByClient(alert: 42)),
        ("context.wrap_socket(plain, server_hostname='other.test')", "other.test", .refusedByClient(alert: 42)),
        (
            "ssl.create_default_context().wrap_socket(plain, server_hostname='host.test')", "host.test",
            .refusedByClient(alert: 48)
        ),
        (
            """
            context.maximum_version = ssl.TLSVersion.TLSv1_2
            context.wrap_socket(plain, server_hostname='127.0.0.1')
            """, nil, .refusedByClient(alert: 42)
        ),
        ("context.check_hostname = False; context.wrap_socket(plain).close()", nil, .completed),
    ]) func `the server's name, and how the handshake ended`(
        program: String, name: String?, end: TLSHandshake.End
    ) async throws {
        try await withService(.https) { service in
            try await python(service, program)
            let connection = try #require(try await service.seenToTheEnd().first)
            let tls = try #require(connection.tls)
            #expect(tls.serverName == name && tls.end == end && !tls.dependsOnName && !tls.isBad)
            #expect(tls.certificateNames.map(\.description) == ["host.test.", "alias.test."])
            #expect(connection.exchanges.isEmpty && connection.wasEndedByClient == (end == .completed))
        }
    }

    @Test func `ALPN and the request`() async throws {
        try await withService(.https, names: ["a.test", "b.test"]) { service in
            try await python(
                service,
                """
                context.set_alpn_protocols(["http/1.1"])
                link = context.wrap_socket(plain, server_hostname="b.test")
                link.sendall(b"GET /ip HTTP/1.1\\r\\nHost: 198.51.100.1\\r\\nConnection: close\\r\\n\\r\\n")
                while link.recv(4096): pass
                """)
            let connection = try #require(try await service.seenToTheEnd().first)
            #expect(connection.tls?.applicationProtocol == "http/1.1" && connection.tls?.dependsOnName == true)
            #expect(connection.httpVersion == "HTTP/1.1")
            #expect(connection.exchanges.first?.host == "198.51.100.1" && connection.exchanges.first?.status == 200)
        }
    }

    @Test func `a server that requires a name`() async throws {
        var web = WebSettings()
        web.withoutServerName = .close
        try await withService(.https, web: web) { service in
            try await python(service, "context.wrap_socket(plain, server_hostname='127.0.0.1')")
            let tls = try #require(try await service.seenToTheEnd().first?.tls)
            #expect(tls.end == .refusedByServer(alert: 109) && tls.certificateNames.isEmpty && tls.dependsOnName)
        }
    }

    @Test func `who ends a connection first has ended it`() async throws {
        try await withService(.https) { service in
            for ending in ["Connection: close\r\n", ""] {
                let connection = try await service.connect(tls: service.tls(), serverName: "host.test")
                try await connection.send("GET /ip HTTP/1.1\r\nHost: host.test\r\n\(ending)\r\n")
                _ = try await connection.receive(atLeast: 1)
                if !ending.isEmpty { _ = try await connection.receiveToEnd() }
                try await connection.close()
            }
            #expect(try await service.seenToTheEnd().map(\.wasEndedByClient) == [false, true])
        }
    }

    @Test func `who says nothing speaks no version of HTTP`() async throws {
        try await withService(.http) { service in
            let connection = try await service.connect()
            try await connection.finish()
            #expect(try await connection.receiveToEnd().readableBytes == 0)
            let seen = try #require(try await service.seenToTheEnd().first)
            #expect(seen.httpVersion == nil && seen.wasEndedByClient)
        }
    }

    @Test func `who says nothing has left`() async throws {
        try await withService(.https) { service in
            try await python(service, "plain.sendall(b'\\x16\\x03\\x01'); plain.close()")
            #expect(try await service.seenToTheEnd().first?.wasEndedByClient == true)
        }
    }
}
