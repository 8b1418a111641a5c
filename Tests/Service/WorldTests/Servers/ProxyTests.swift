// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Evidence
import LinuxNet
import NIOCore
import NIOPosix
import Testing
import TestSupport
import Topology
import Wire

@testable import ConfigurationText
@testable import World

/// A proxy beside an HTTP server and an echo, all at one address.
@Suite("A proxy of the world", .timeLimit(.minutes(5))) struct ProxyTests {
    private struct Running {
        let servers: HermeticServers
        let address: IPAddress
        let proxy: UInt16
        let http: UInt16
        let echo: UInt16

        func connect() async throws -> TestConnection { try await TestConnection(address: address, port: proxy) }

        /// Sends a text and returns what comes until the end.
        func exchange(_ text: String) async throws -> String {
            let connection = try await connect()
            try await connection.send(text)
            let answer = try await connection.receiveToEnd()
            try await connection.close()
            return String(decoding: answer.readableBytesView, as: UTF8.self)
        }

        /// The clients' requests, once all clients have ended.
        func asked() async throws -> [ProxiedRequest] {
            try await servers.seenToTheEnd(of: address).compactMap(\.proxied)
        }
    }

    private static let records = [
        "alias.test. 60 CNAME host.test.", "v6.test. 60 AAAA 2e00:2:0:cafe::77", "far.test. 60 A 198.51.100.77",
        "two.test. 60 A 198.51.100.77", "two.test. 60 A 127.0.0.1", "six.test. 60 AAAA ::1",
    ].map { try! ResourceRecord(presentation: $0, defaultTTL: 60) }

    private func withProxy(
        at address: IPAddress = Loopback.ipv4, limit: Int = ServedConnections.limit,
        _ body: (Running) async throws -> Void
    ) async throws {
        let name = try DomainName("host.test")
        let services = [ServiceKind.proxy, .http, .tcpEcho].map {
            World.Service(kind: $0, address: address, port: 0, hostNames: [name])
        }
        let own = ResourceRecord(
            name: name, ttl: 60, data: address.ipv4.map(RecordData.a) ?? .aaaa(address.ipv6!))
        let world = World(
            hosts: [World.Host(name: name, addresses: [address])], records: Self.records + [own], zones: [],
            forwarders: nil, validation: nil, services: services)
        let servers = try HermeticServers.start(
            world, records: RecordStore(world, isAlone: true), authority: CertificateAuthority(), now: { .zero },
            limit: limit)
        servers.seen.begin(.other(address), at: .zero)
        let ports = services.map { servers.port(of: $0)! }
        let running = Running(servers: servers, address: address, proxy: ports[0], http: ports[1], echo: ports[2])
        do {
            try await body(running)
            await servers.stop()
        } catch {
            await servers.stop()
            throw error
        }
    }

    // MARK: HTTP

    @Test(arguments: [Loopback.ipv4, Loopback.ipv6]) func `CONNECT makes a tunnel`(address: IPAddress) async throws {
        try await withProxy(at: address) { running in
            let connection = try await running.connect()
            let head = "CONNECT \(address.description(port: running.echo)) HTTP/1.1\r\nHost: a\r\n\r\n"
            // Data in the same segment is for the host.
            try await connection.send(head + "early")
            let answer = "HTTP/1.1 200 Connection established\r\n\r\nearly"
            let start = try await connection.receive(atLeast: answer.utf8.count)
            #expect(String(decoding: start.readableBytesView, as: UTF8.self) == answer)
            try await connection.send("later")
            let next = try await connection.receive(atLeast: 5)
            #expect(next == ByteBuffer(string: "later"))
            try await connection.finish()
            let rest = try await connection.receiveToEnd()
            #expect(rest.readableBytes == 0)
            try await connection.close()
            let expected = ProxiedRequest(
                .connect, host: address.description, port: running.echo, result: .connected)
            #expect(try await running.asked() == [expected])
        }
    }

    @Test func `a request for a URL is answered by its host, which is named by the world's records`() async throws {
        try await withProxy { running in
            for host in ["host.test", "ALIAS.test", "127.0.0.1"] {
                let answer = TestResponse(
                    try await running.exchange(
                        "GET http://\(host):\(running.http)/headers HTTP/1.1\r\nHost: other\r\nProxy-Connection: a\r\n\r\n"
                    ))
                #expect(answer.status == 200 && answer.fields["via"] == "1.1 ipv6check")
                #expect(answer.body.contains("\(host):\(running.http)") && answer.body.contains("1.1 ipv6check"))
                #expect(!answer.body.lowercased().contains("proxy-connection") && !answer.body.contains("other"))
            }
            let asked = try await running.asked()
            #expect(asked.map(\.manner) == [.request, .request, .request])
            #expect(asked.map(\.result) == [.connected, .connected, .connected])
        }
    }

    @Test func `what is written before the answer is read goes through`() async throws {
        let size = 8 * 1024 * 1024
        try await withProxy { running in
            let connection = try await running.connect()
            try await connection.send("CONNECT host.test:\(running.echo) HTTP/1.1\r\nHost: a\r\n\r\n")
            var check = PatternCheck()
            var head = "HTTP/1.1 200 Connection established\r\n\r\n".utf8.count
            async let sending: Void = {
                try await sendPattern(size, over: connection)
                try await connection.finish()
            }()
            try await connection.receive { arrival in
                var arrival = arrival
                let part = min(head, arrival.readableBytes)
                arrival.moveReaderIndex(forwardBy: part)
                head -= part
                check.add(arrival)
            }
            try await sending
            #expect(check.count == size && check.isIntact)
            try await connection.close()
        }
    }

    @Test(
        arguments: [
            ("no.test:80", ProxiedRequest.Result.nameUnknown, 502), ("a..b:80", .nameUnknown, 502),
            // Names with no host behind them; a host of a family that the proxy has no address of; the simulator's own; another loopback.
            ("far.test:80", .unroutable, 502), ("198.51.100.77:80", .unroutable, 502),
            ("six.test:80", .unroutable, 502),
            ("v6.test:80", .unroutable, 502), ("[2e00:2:0:1::1]:53", .unroutable, 502),
            ("[64:ff9b::c633:640a]:80", .unroutable, 502), ("192.0.2.1:53", .unroutable, 502),
            ("127.0.0.2:80", .unroutable, 502), ("[::ffff:127.0.0.1]:80", .unroutable, 502),
            ("127.0.0.1:1", .refused, 502),
            ("0.0.0.0:80", .unroutable, 502), ("127.1:80", .nameUnknown, 502),
        ])
    func `whoever is no host of the world is not reached`(
        target: String, result: ProxiedRequest.Result, status: Int
    ) async throws {
        try await withProxy { running in
            let answer = TestResponse(try await running.exchange("CONNECT \(target) HTTP/1.1\r\nHost: a\r\n\r\n"))
            #expect(answer.status == status)
            #expect(answer.fields["proxy-status"] == "ipv6check; error=\(result.rawValue)")
            #expect(try await running.asked().map(\.result) == [result])
        }
    }

    @Test func `of several addresses the next one is tried`() async throws {
        try await withProxy { running in
            let answer = TestResponse(
                try await running.exchange("GET http://two.test:\(running.http)/status/204 HTTP/1.1\r\nHost: a\r\n\r\n")
            )
            #expect(answer.status == 204)
        }
    }

    // MARK: SOCKS

    @Test func `SOCKS by name and by address, in versions 4, 4A and 5`() async throws {
        try await withProxy { running in
            let port = [UInt8(running.echo >> 8), UInt8(running.echo & 0xff)]
            let requests: [(request: [UInt8], answer: Int, code: [UInt8])] = [
                ([5, 1, 0, 5, 1, 0, 1, 127, 0, 0, 1] + port, 12, [5, 0, 5, 0, 0, 1, 127, 0, 0, 1]),
                ([5, 1, 0, 5, 1, 0, 3, 9] + Array("host.test".utf8) + port, 12, [5, 0, 5, 0, 0, 1, 127, 0, 0, 1]),
                ([4, 1] + port + [127, 0, 0, 1, 0], 8, [0, 90]),
                ([4, 1] + port + [0, 0, 0, 1, 0] + Array("host.test\0".utf8), 8, [0, 90]),
            ]
            for (request, length, code) in requests {
                let connection = try await running.connect()
                // Octet by octet, as the slowest client has it.
                for octet in request { try await connection.send(ByteBuffer(bytes: [octet])) }
                try await connection.send("hello")
                let answer = try await connection.receive(atLeast: length + 5)
                #expect(Array(answer.readableBytesView.prefix(code.count)) == code)
                #expect(Array(answer.readableBytesView.suffix(5)) == Array("hello".utf8))
                try await connection.close()
            }
            let asked = try await running.asked()
            #expect(asked.map(\.manner) == [.socks5, .socks5, .socks4, .socks4])
            #expect(asked.map(\.host) == ["127.0.0.1", "host.test", "127.0.0.1", "host.test"])
        }
    }

    @Test(arguments: [("no.test", 4), ("far.test", 3), ("host.test", 5)] as [(String, UInt8)])
    func `SOCKS 5 says why not`(host: String, code: UInt8) async throws {
        try await withProxy { running in
            let connection = try await running.connect()
            let name = Array(host.utf8)
            try await connection.send(ByteBuffer(bytes: [5, 1, 0, 5, 1, 0, 3, UInt8(name.count)] + name + [0, 1]))
            let answer = try await connection.receiveToEnd()
            #expect(Array(answer.readableBytesView) == [5, 0, 5, code, 0, 1, 0, 0, 0, 0, 0, 0])
            try await connection.close()
        }
    }

    // MARK: Hostile clients

    @Test func `garbage is refused, and who leaves early is forgotten`() async throws {
        try await withProxy { running in
            for text in [
                "\u{16}\u{3}\u{1}\u{2}\u{0}hello", "\u{5}\u{1}\u{2}", "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "\0",
            ] {
                let answer = try await running.exchange(text)
                #expect(!answer.isEmpty)
            }
            for text in [
                "", "\u{5}", "CONNECT a", "\u{4}\u{1}", "CONNECT host.test:\(running.echo) HTTP/1.1\r\nHost: a\r\n\r\n",
            ] {
                let connection = try await running.connect()
                if !text.isEmpty { try await connection.send(text) }
                try await connection.finish()
                _ = try await connection.receiveToEnd()
                try await connection.close()
            }
            #expect(try await running.asked().count == 1)
        }
    }

    @Test func `who does not say what it wants is closed in time`() async throws {
        let name = try DomainName("host.test")
        let service = World.Service(kind: .proxy, address: Loopback.ipv4, port: 0, hostNames: [name])
        let world = try Loopback.world(.proxy)
        let log = ConnectionLog(now: { .zero })
        let server = ProxyServer(
            service: ServiceEnd(service),
            reach: ProxyReach(service, in: world, PublicResolver(RecordStore([]), log: log, now: { .zero })),
            connections: ServedConnections(now: { .zero }), log: log, patience: .seconds(1))
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let listener = try ServiceListener(service, ServiceEnd(service))
        guard let socket = listener.take() else {
            Issue.record("the service's socket is taken")
            return
        }
        try server.serve(listener, socket, group)
        for start in ["", "\u{5}\u{1}", "GET http://host.test/ HTTP/1.1\r\n"] {
            let connection = try await TestConnection(address: Loopback.ipv4, port: listener.address.port)
            // It may be too late on a busy machine.
            if !start.isEmpty { try? await connection.send(start) }
            let answer = try? await connection.receiveToEnd()
            #expect(answer?.readableBytes ?? 0 == 0)
            try? await connection.close()
        }
        try await group.shutdownGracefully()
    }

    @Test func `a proxy that is asked for itself, again and again, ends where there is no more room`() async throws {
        try await withProxy(limit: 11) { running in
            let connection = try await running.connect()
            let tunnel = "CONNECT host.test:\(running.proxy) HTTP/1.1\r\nHost: a\r\n\r\n"
            var answers = ""
            // Two slots for each step.
            for _ in 0..<6 {
                try await connection.send(tunnel)
                repeat {
                    answers += String(
                        decoding: try await connection.receive(atLeast: 1).readableBytesView, as: UTF8.self)
                } while !answers.hasSuffix("\r\n\r\n") && !answers.hasSuffix("reached\n")
                if !answers.hasSuffix("200 Connection established\r\n\r\n") { break }
            }
            #expect(answers.ranges(of: "200 Connection").count == 5)
            #expect(answers.contains("connection_limit_reached"))
            try await connection.close()
            // And what it held is free, soon.
            let request = "GET http://host.test:\(running.http)/status/204 HTTP/1.1\r\nHost: a\r\n\r\n"
            while (try? await running.exchange(request)).map({ TestResponse($0).status }) != 204 {
                try await Task.sleep(for: .milliseconds(1))
            }
        }
    }

    @Test func `a client's connections by way of a proxy are its own`() async throws {
        let address = IPAddress.ipv4(IPv4Address(127, 0, 0, 2))
        try await withProxy(at: address, limit: 4) { running in
            let connection = try await running.connect()
            try await connection.send("CONNECT host.test:\(running.echo) HTTP/1.1\r\nHost: a\r\n\r\nhello")
            _ = try await connection.receive(atLeast: 44)
            // It holds three, all of the client that is behind the proxy; so the proxy itself gets a second one.
            let service = ServiceEnd(World.Service(kind: .http, address: address, port: 1, hostNames: []))
            for _ in 0..<2 { #expect(running.servers.connections.admit(address, to: service) {} != nil) }
            try? await connection.close()
        }
    }
}
