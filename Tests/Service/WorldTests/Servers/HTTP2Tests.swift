// SPDX-License-Identifier: Apache-2.0
import Evidence
import Foundation
import NIOCore
import NIOSSL
import TestSupport
import Testing

@testable import ConfigurationText
@testable import World

@Suite("HTTP/2", .timeLimit(.minutes(5))) struct HTTP2Tests {
    /// curl's answer, and the version by which it came.
    private func curl(_ service: RunningService, _ path: String, _ options: String...) async throws -> String {
        let scheme = service.service.kind == .https ? "https" : "http"
        let command =
            ["curl", "-sk", "--max-time", "60", "-w", " %{http_version} %{num_connects}"] + options
            + ["\(scheme)://127.0.0.1:\(service.port)\(path)"]
        return try await runAside(command).successful().text
    }

    @Test func `behind TLS it is agreed upon`() async throws {
        try await withService(.https) { service in
            #expect(try await curl(service, "/status/200", "--http2") == "200\n 2 1")
            #expect(try await curl(service, "/status/201", "--http1.1") == "201\n 1.1 1")
            let seen = try await service.seenToTheEnd()
            #expect(seen.map(\.httpVersion) == ["HTTP/2", "HTTP/1.1"])
            #expect(seen.map(\.tls?.applicationProtocol) == ["h2", "http/1.1"])
            #expect(seen.flatMap(\.exchanges).map(\.status) == [200, 201])
            #expect(seen[0].exchanges[0].host == "127.0.0.1:\(service.port)" && seen[0].exchanges[0].bytes == 4)
        }
    }

    @Test func `without TLS a client may know`() async throws {
        try await withService(.http) { service in
            #expect(try await curl(service, "/status/200", "--http2-prior-knowledge") == "200\n 2 1")
            // An Upgrade (RFC 7540 §3.2, which RFC 9113 §3.1 took back) is passed over.
            #expect(try await curl(service, "/status/200", "--http2") == "200\n 1.1 1")
            let seen = try await service.seenToTheEnd()
            #expect(seen.map(\.httpVersion) == ["HTTP/2", "HTTP/1.1"])
        }
    }

    @Test func `HEAD, 204 and 304 have no content, and no length that is not theirs`() async throws {
        try await withService(.https) { service in
            let missing = try await curl(service, "/nowhere", "--http2", "-I")
            #expect(missing.contains("HTTP/2 404") && missing.contains("content-length: "))
            for status in [204, 304] {
                let empty = try await curl(service, "/status/\(status)", "--http2", "-i")
                #expect(empty.contains("HTTP/2 \(status)") && !empty.contains("content-length"))
            }
        }
    }

    @Test func `a body of unknown length is echoed, whatever the method`() async throws {
        try await withService(.http) { service in
            let connection = try await service.connect()
            // GET without END_STREAM, and three octets with it.
            var request = Frames.request("/echo", stream: 1)
            request[4] = 4
            let body = Frames.frame(0, flags: 1, stream: 1, Array("abc".utf8))
            try await connection.send(ByteBuffer(bytes: Frames.start + request + body))
            var received: [UInt8] = []
            while !received.contains([0, 0, 0, 1] + Array("abc".utf8)) {
                let part = try await connection.receive(atLeast: 1)
                try #require(part.readableBytes > 0)
                received += part.readableBytesView
            }
            try await connection.close()
            #expect(try await service.seenToTheEnd().first?.exchanges.first?.bytes == 3)
        }
    }

    @Test func `bodies in both directions`() async throws {
        try await withService(.https) { service in
            let file = FileManager.default.temporaryDirectory.appending(path: "ipv6check-\(UUID().uuidString)")
            try Data((0..<3_000_000).map { UInt8($0 % 251) }).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            let answer = try await curl(
                service, "/echo", "--http2", "--data-binary", "@\(file.path)", "-o", file.path + ".back")
            defer { try? FileManager.default.removeItem(atPath: file.path + ".back") }
            #expect(answer == " 2 1")
            #expect(FileManager.default.contentsEqual(atPath: file.path, andPath: file.path + ".back"))
            let exchange = try #require(try await service.seenToTheEnd().first?.exchanges.first)
            #expect(exchange.method == "POST" && exchange.bytes == 3_000_000)
        }
    }

    @Test func `one connection carries many requests at once`() async throws {
        try await withService(.https) { service in
            let start = ContinuousClock.now
            try await runAside(["nghttp", "-n", "-m", "60", "https://127.0.0.1:\(service.port)/delay/3000"])
                .successful()
            #expect(ContinuousClock.now - start < .seconds(90))
            let connection = try #require(try await service.seenToTheEnd().first)
            #expect(connection.exchanges.count == 60 && connection.exchanges.allSatisfy { $0.status == 200 })
        }
    }

    @Test func `a load of thousands of requests`() async throws {
        try await withService(.https) { service in
            let load = try await runAside([
                "h2load", "-n", "3000", "-c", "30", "-m", "32", "https://127.0.0.1:\(service.port)/bytes/2000",
            ]).successful()
            #expect(load.text.contains("3000 succeeded, 0 failed, 0 errored, 0 timeout"))
        }
    }

    // MARK: Clients that mean no good

    @Test(arguments: [
        // No frame, a frame that is too long, one on a stream that is none, headers that are none, and HTTP/1.
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nGARBAGE GARBAGE GARBAGE GARBAGE",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\u{7f}\u{7f}\u{7f}\u{0}\u{0}\u{0}\u{0}\u{0}\u{1}",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\u{0}\u{0}\u{0}\u{4}\u{0}\u{0}\u{0}\u{0}\u{0}"
            + "\u{0}\u{0}\u{1}\u{0}\u{1}\u{0}\u{0}\u{0}\u{1}x",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\u{0}\u{0}\u{0}\u{4}\u{0}\u{0}\u{0}\u{0}\u{0}"
            + "\u{0}\u{0}\u{4}\u{1}\u{5}\u{0}\u{0}\u{0}\u{1}\u{7f}\u{7f}\u{7f}\u{7f}",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
        "PRI * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", "PRI", "P",
    ])
    func `what is no HTTP/2 ends the connection and nothing else`(text: String) async throws {
        try await withService(.http) { service in
            let connection = try await service.connect()
            try await connection.send(text)
            if text.utf8.count < 24 { try await connection.finish() }
            _ = try? await connection.receiveToEnd()
            try? await connection.close()
            #expect(try await service.get("/status/200").status == 200)
        }
    }

    @Test func `who agreed upon HTTP/2 and speaks HTTP/1 gets no answer`() async throws {
        try await withService(.https) { service in
            var client = TLSConfiguration.makeClientConfiguration()
            client.certificateVerification = .none
            client.applicationProtocols = ["h2"]
            let connection = try await service.connect(tls: client, serverName: "host.test")
            try await connection.send("GET / HTTP/1.1\r\nHost: host.test\r\nConnection: close\r\n\r\n")
            _ = try? await connection.receiveToEnd()
            try? await connection.close()
            let seen = try #require(try await service.seenToTheEnd().first)
            #expect(seen.httpVersion == "HTTP/2" && seen.exchanges.isEmpty)
        }
    }

    /// Frames of an HTTP/2 client, made by hand.
    private enum Frames {
        static let start = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + frame(4)

        static func frame(_ type: UInt8, flags: UInt8 = 0, stream: Int = 0, _ payload: [UInt8] = []) -> [UInt8] {
            [0, UInt8(payload.count >> 8), UInt8(payload.count & 0xff), type, flags]
                + [24, 16, 8, 0].map { UInt8(stream >> $0 & 0xff) } + payload
        }

        /// A request without a body, by the static table (RFC 7541 §6.1, §6.2): GET, http, and this path of host a.
        static func request(_ path: String, stream: Int) -> [UInt8] {
            frame(
                1, flags: 5, stream: stream,
                [0x82, 0x86, 0x04, UInt8(path.utf8.count)] + Array(path.utf8) + [0x01, 1, UInt8(ascii: "a")])
        }

        static func reset(_ stream: Int) -> [UInt8] { frame(3, stream: stream, [0, 0, 0, 8]) }
    }

    @Test func `a client that resets each request at once is stopped`() async throws {
        try await withService(.http) { service in
            let connection = try await service.connect()
            try await connection.send(ByteBuffer(bytes: Frames.start))
            // It may be closed in the middle.
            for batch in 0..<100 {
                let frames = (0..<100).flatMap { index in
                    let stream = (batch * 100 + index) * 2 + 1
                    return Frames.request("/bytes/100000", stream: stream) + Frames.reset(stream)
                }
                guard (try? await connection.send(ByteBuffer(bytes: frames))) != nil else { break }
            }
            _ = try? await connection.receiveToEnd()
            try? await connection.close()
            #expect(try await service.get("/status/200").status == 200)
        }
    }

    @Test func `a client that takes nothing is sent nothing`() async throws {
        try await withService(.http) { service in
            let connection = try await service.connect()
            // SETTINGS_INITIAL_WINDOW_SIZE is 0 (RFC 9113 §6.5.2).
            let start = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + Frames.frame(4, [0, 4, 0, 0, 0, 0])
            let requests = (0..<100).flatMap { Frames.request("/bytes/1000000000", stream: $0 * 2 + 1) }
            try await connection.send(ByteBuffer(bytes: start + requests))
            while service.seen.first?.exchanges.compactMap(\.status).count != 64 {
                try await Task.sleep(for: .milliseconds(5))
            }
            #expect(try await service.get("/status/200").status == 200)
            let seen = try #require(service.seen.first)
            // The size of what the streams have buffered.
            #expect(seen.exchanges.allSatisfy { $0.bytes < 2_000_000 } && seen.omittedExchanges == 36)
            try await connection.close()
        }
    }

    @Test func `a stop does not wait for answers`() async throws {
        let start = ContinuousClock.now
        try await withService(.http) { service in
            for _ in 0..<10 {
                let connection = try await service.connect()
                let requests = (0..<20).flatMap { Frames.request("/delay/60000", stream: $0 * 2 + 1) }
                try await connection.send(ByteBuffer(bytes: Frames.start + requests))
            }
            while service.seen.flatMap(\.exchanges).count < 200 { try await Task.sleep(for: .milliseconds(5)) }
            // And one whose version is not known yet.
            let connection = try await service.connect()
            try await connection.send("PRI * ")
        }
        #expect(ContinuousClock.now - start < .seconds(55))
    }
}
