// SPDX-License-Identifier: Apache-2.0
import Control
import Foundation
import NIOCore
import Testing

/// Clients with invalid requests, and their effect on other clients.
@Suite(.timeLimit(.minutes(5))) struct ConnectionTests {
    @Test(arguments: [
        "\r\n\r\nGARBAGE\r\n\r\n", "GET\r\n\r\n", "GET /v1/status HTTP/9.9\r\n\r\n",
        "GET /v1/status HTTP/1.1\r\nno colon\r\n\r\n",
        "GET /v1/status HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
        "POST /v1/faults HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST /v1/faults HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\u{1}\u{fc}\u{3}\u{3}",
    ])
    func `what is no HTTP ends the connection and nothing else`(text: String) async throws {
        try await withAPI { api in
            let answer = try? await api.exchange(text)
            #expect(answer?.status.map { $0 >= 400 } ?? true)
            try await api.expectToServe()
        }
    }

    @Test func `a header without an end is cut off`() async throws {
        try await withAPI { api in
            let fields = (0..<100).map { "X-\($0): \(String(repeating: "x", count: 1000))" }
            let answer = try? await api.ask("GET", "/v1/status", fields: fields)
            #expect(answer?.status != 200)
            try await api.expectToServe()
        }
    }

    @Test func `what is not there is a problem that names the document`() async throws {
        try await withAPI { api in
            for target in [
                "/", "/v2/status", "/v1/statu", "/v1/clients/1/nothing", "/" + String(repeating: "x", count: 9000),
            ] {
                let answer = try await api.ask("GET", target)
                #expect(answer.status == 404)
                #expect(answer.fields["content-type"] == "application/problem+json")
                #expect(answer.body.contains("/openapi.yaml"))
                #expect(answer.body.utf8.count < 500)
            }
        }
    }

    @Test func `another method is a problem that says which there are`() async throws {
        try await withAPI { api in
            let answer = try await api.ask("PATCH", "/v1/faults")
            #expect(answer.status == 405)
            #expect(answer.fields["allow"] == "GET, POST, DELETE, HEAD")
            #expect(try await api.ask("POST", "/v1/clients/1").fields["allow"] == "GET, HEAD")
        }
    }

    @Test func `requests of one connection are answered in turn`() async throws {
        try await withAPI { api in
            let one = "GET /v1/prefix HTTP/1.1\r\nHost: a\r\n\r\n"
            let last = "GET /v1/prefix HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            let answer = try await api.exchange(one + one + last)
            #expect(answer.status == 200)
            #expect(answer.body.components(separatedBy: "HTTP/1.1 200 OK").count == 3)
        }
    }

    /// More than are served, and fewer than are told that there is no room now.
    @Test func `sixty clients at once are all answered over few connections`() async throws {
        var limits = ControlServer.Limits.unhurried
        limits.connections = 8
        try await withAPI(limits) { api in
            let client = ControlClient(socket: api.socket, timeout: .seconds(60))
            let total = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<60 {
                    group.addTask {
                        var answered = 0
                        for id in UInt64(1)...5 where id <= 2 {
                            answered += try await api.patiently {
                                try await client.sessions(of: id, limit: 10).items.count
                            }
                        }
                        if number.isMultiple(of: 10) {
                            _ = try await api.patiently { try await client.addFault("any any any \(number + 1) drop") }
                        }
                        return answered
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(total == 240)
            let faults = try await client.faults()
            #expect(faults.total == 7)
        }
    }

    @Test func `who sends no whole request loses the connection`() async throws {
        var limits = ControlServer.Limits()
        limits.timeout = .seconds(2)
        limits.connections = 2
        try await withAPI(limits) { api in
            let starts = ["", "GET /v1/sta", "POST /v1/faults HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nabc"]
            await withTaskGroup(of: Int?.self) { group in
                for start in starts { group.addTask { try? await api.exchange(start).status } }
                for await status in group { #expect(status != 200) }
            }
            try await api.expectToServe()
        }
    }

    @Test func `a body that never ends is refused and its connection ends`() async throws {
        var limits = ControlServer.Limits()
        limits.timeout = .seconds(2)
        try await withAPI(limits) { api in
            let connection = try await api.connect()
            let answer = try await connection.executeThenClose { inbound, outbound in
                async let sending: Void = {
                    let head = "POST /v1/faults HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                    try await outbound.write(ByteBuffer(string: head))
                    let chunk = ByteBuffer(string: "1000\r\n" + String(repeating: "x", count: 4096) + "\r\n")
                    while !Task.isCancelled {
                        try await outbound.write(chunk)
                        await Task.yield()
                    }
                }()
                var octets = ByteBuffer()
                do {
                    for try await part in inbound { octets.writeImmutableBuffer(part) }
                } catch {
                    // The server closes while we still send.
                }
                try? await sending
                return HTTPAnswer(String(buffer: octets))
            }
            #expect(answer.status == 413 || answer.status == nil)
            try await api.expectToServe()
        }
    }

    @Test func `of a client that reads nothing the connection is cut`() async throws {
        var limits = ControlServer.Limits()
        limits.timeout = .seconds(2)
        limits.connections = 1
        try await withAPI(limits) { api in
            let connection = try await api.connect()
            // On a slow machine the server cuts before all is sent: what is tried here, not a failure.
            try? await connection.channel.setOption(.autoRead, value: false).get()
            try await connection.executeThenClose { _, outbound in
                let request = "GET /v1/dns-log?limit=1000 HTTP/1.1\r\nHost: a\r\n\r\n"
                try? await outbound.write(ByteBuffer(string: String(repeating: request, count: 20)))
                // There is one connection, so this one waits until that one is gone.
                try await api.expectToServe()
            }
        }
    }
}
