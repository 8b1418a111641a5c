// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import NIOCore
import Testing

@testable import World

@Suite("HTTP connections, and those that only look like it", .timeLimit(.minutes(5))) struct HTTPConnectionTests {
    @Test func `a connection serves one request after the other`() async throws {
        try await withService(.http) { service in
            let answer = try await service.exchange(
                "GET /status/201 HTTP/1.1\r\nHost: a\r\n\r\n"
                    + "POST /status/202 HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"
                    + "GET /status/203 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(answer.matches(of: /HTTP\/1\.1 (\d+)/).map(\.1) == ["201", "202", "203"])
        }
    }

    @Test(arguments: [
        ("http://host.test/status/201", 201), ("http://host.test/status/201?a=b", 201), ("http://host.test", 200),
        ("http://host.test?a=b", 200), ("*", 404),
    ])
    func `a target in absolute form is answered as its path is`(target: String, status: Int) async throws {
        try await withService(.http) { service in
            let method = target == "*" ? "OPTIONS" : "GET"
            let answer = try await service.exchange(
                "\(method) \(target) HTTP/1.1\r\nHost: host.test\r\nConnection: close\r\n\r\n")
            #expect(TestResponse(answer).status == status)
        }
    }

    @Test(arguments: ["Connection: close", "Connection: Close", "Connection: TE, CLOSE"])
    func `a connection ends where the client asks for it in any spelling`(field: String) async throws {
        try await withService(.http) { service in
            let answer = try await service.exchange("GET /ip HTTP/1.1\r\nHost: a\r\n\(field)\r\n\r\n")
            #expect(TestResponse(answer).fields["connection"] == "close")
        }
    }

    @Test(arguments: [
        "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__",
        "Connection: upgrade\r\nUpgrade: websocket", "Upgrade: TLS/1.2",
    ])
    func `an offer of another protocol is not taken, and the client knows that the connection ends`(field: String)
        async throws
    {
        try await withService(.http) { service in
            let answer = TestResponse(
                try await service.exchange("GET /status/201 HTTP/1.1\r\nHost: a\r\n\(field)\r\n\r\n"))
            #expect(answer.status == 201 && answer.fields["connection"] == "close")
        }
    }

    @Test func `HTTP/1.0 is answered, and the connection ends`() async throws {
        try await withService(.http) { service in
            let response = TestResponse(try await service.exchange("GET / HTTP/1.0\r\n\r\n"))
            #expect(response.status == 200)
            #expect(response.body.hasPrefix("asked for: (no Host header)\n"))
        }
    }

    @Test func `HTTP/1.0 has no chunks and no kept connection: an answer without a length ends with it`() async throws {
        try await withService(.http) { service in
            let response = TestResponse(
                try await service.exchange("GET /stream/2 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"))
            #expect(response.status == 200 && response.fields["transfer-encoding"] == nil)
            #expect(response.fields["connection"] == "close")
            #expect(response.body == "{\"id\": 0}\n{\"id\": 1}\n")
            // The client knew chunks when it asked the first time.
            let answers = try await service.exchange(
                "GET /stream/1 HTTP/1.1\r\nHost: a\r\n\r\nGET /stream/1 HTTP/1.0\r\n\r\n")
            #expect(TestResponse(answers).body.hasPrefix("a\r\n{\"id\": 0}\n\r\n0\r\n\r\nHTTP/1.0 200"))
            #expect(answers.hasSuffix("\r\n\r\n{\"id\": 0}\n"))
        }
    }

    @Test func `a client that expects 100-continue gets it before it sends the body`() async throws {
        try await withService(.http) { service in
            let connection = try await service.connect()
            try await connection.send(
                "POST /echo HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n"
            )
            let interim = try await connection.receive(atLeast: 1)
            #expect(
                String(decoding: interim.readableBytesView, as: UTF8.self).hasPrefix("HTTP/1.1 100 Continue\r\n\r\n"))
            try await connection.send("abc")
            let rest = try await connection.receiveToEnd()
            #expect(String(decoding: rest.readableBytesView, as: UTF8.self).hasSuffix("abc"))
            try await connection.close()
        }
    }

    @Test(arguments: [
        "\r\n\r\nGARBAGE\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET / HTTP/1.1\r\nno colon\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\u{1}\u{fc}\u{3}\u{3}",
    ])
    func `what is no HTTP ends the connection and nothing else`(text: String) async throws {
        try await withService(.http) { service in
            _ = try? await service.exchange(text)
            let next = try await service.get("/status/200")
            #expect(next.status == 200)
        }
    }

    @Test func `a header without an end is cut off`() async throws {
        try await withService(.http) { service in
            let connection = try await service.connect()
            try await connection.send("GET / HTTP/1.1\r\n")
            // Sending fails once the server has had enough of it.
            for index in 0..<1000 {
                guard (try? await connection.send("X-\(index): \(String(repeating: "x", count: 1000))\r\n")) != nil
                else { break }
            }
            let answer = try? await connection.receiveToEnd()
            #expect(answer.map { !String(decoding: $0.readableBytesView, as: UTF8.self).contains("200 OK") } ?? true)
            let next = try await service.get("/status/200")
            #expect(next.status == 200)
            try await connection.close()
        }
    }

    @Test func `two hundred clients at once are served`() async throws {
        try await withService(.http) { service in
            // All connect before the first asks.
            var connections: [TestConnection] = []
            for _ in 0..<200 { connections.append(try await service.connect()) }
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for connection in connections {
                    group.addTask {
                        try await connection.send("GET /bytes/1000 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                        let answer = try await connection.receiveToEnd()
                        try await connection.close()
                        return TestResponse(String(decoding: answer.readableBytesView.prefix(100), as: UTF8.self))
                            .status
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses == Array(repeating: 200, count: 200))
        }
    }

    @Test func `stopping ends connections that wait, are made to wait, and are being answered`() async throws {
        let (idle, delayed, busy) = try await withService(.http) { service in
            let idle = try await service.connect()
            let delayed = try await service.connect()
            try await delayed.send("GET /delay/60000 HTTP/1.1\r\nHost: a\r\n\r\n")
            let busy = try await service.connect()
            try await busy.send("GET /bytes/1099511627776 HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try await busy.receive(atLeast: 1)
            return (idle, delayed, busy)
        }
        _ = try? await delayed.receive { _ in }
        let rest = try await idle.receiveToEnd()
        #expect(rest.readableBytes == 0)
        // However the connection ends, it ends.
        _ = try? await busy.receive { _ in }
    }
}
