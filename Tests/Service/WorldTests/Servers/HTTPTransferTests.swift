// SPDX-License-Identifier: Apache-2.0
import Evidence
import ConfigurationText
import NIOCore
import NIOSSL
import Testing

@testable import World

@Suite("Bodies of any size", .timeLimit(.minutes(5))) struct HTTPTransferTests {
    @Test(arguments: [0, 1, 251, 252, 1_028_096, 1_028_097])
    func `the octet at offset i is i mod 251`(count: Int) async throws {
        try await withService(.http) { service in
            let connection = try await service.connect()
            try await connection.send("GET /bytes/\(count) HTTP/1.1\r\nHost: host.test\r\nConnection: close\r\n\r\n")
            let answer = try await connection.receiveToEnd()
            let bytes = Array(answer.readableBytesView)
            try #require(bytes.count >= count)
            let body = bytes.suffix(count)
            #expect(bytes.dropLast(count).suffix(4).elementsEqual("\r\n\r\n".utf8))
            #expect(body.elementsEqual((0..<count).lazy.map { UInt8($0 % 251) }))
            try await connection.close()
        }
    }

    @Test(arguments: ["-1", "x", "1099511627777", "99999999999999999999", "1e3", "%31%30x"])
    func `a length that is none is refused`(count: String) async throws {
        try await withService(.http) { service in
            let response = try await service.get("/bytes/\(count)")
            #expect(response.status == 400)
            #expect(response.body == "/bytes/N takes a number of octets from 0 to 1099511627776\n")
        }
    }

    @Test func `a client may leave in the middle of a long body`() async throws {
        try await withService(.http) { service in
            let connection = try await service.connect()
            try await connection.send("GET /bytes/1099511627776 HTTP/1.1\r\nHost: host.test\r\n\r\n")
            let beginning = try await connection.receive(atLeast: 1_000_000)
            #expect(beginning.readableBytes >= 1_000_000)
            try await connection.close()
            let next = try await service.get("/status/200")
            #expect(next.status == 200)
        }
    }

    @Test(arguments: [ServiceKind.http, .https])
    func `a client that does not read is not sent what it has not read`(kind: ServiceKind) async throws {
        let log = try await withService(kind) { service in
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.certificateVerification = .none
            tls.shutdownTimeout = .milliseconds(1)
            let connection = try await service.connect(tls: kind == .https ? tls : nil, readsAlways: kind == .https)
            if kind == .https {
                // The handshake needs reading, and ends before the first octet of the body.
                try await connection.send("GET /status/200 HTTP/1.1\r\nHost: a\r\n\r\n")
                _ = try await connection.receive(atLeast: 1)
                try await connection.stopReading()
            }
            try await connection.send("GET /bytes/1000000000 HTTP/1.1\r\nHost: a\r\n\r\n")
            // Other clients are served meanwhile, by the same threads.
            for _ in 0..<20 {
                let other = try await service.connect(tls: kind == .https ? tls : nil)
                try await other.send("GET /status/201 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                _ = try await other.receiveToEnd()
                try await other.close()
            }
            try await connection.close()
            return try await service.seenToTheEnd()
        }
        let stalled = try #require(log.flatMap(\.exchanges).first { $0.path == "/bytes/1000000000" })
        #expect(stalled.bytes < 50_000_000)
        #expect(log.flatMap(\.exchanges).count { $0.status == 201 } == 20)
    }

    @Test func `an echo keeps the type and the length of the body`() async throws {
        try await withService(.http) { service in
            let response = try await service.get(
                "/echo", method: "POST", fields: ["Content-Type: text/x-test"], body: "hello")
            #expect(response.status == 200)
            #expect(response.fields["content-type"] == "text/x-test")
            #expect(response.fields["content-length"] == "5")
            #expect(response.body == "hello")
        }
    }

    @Test func `an echo of chunks is chunked`() async throws {
        try await withService(.http) { service in
            let answer = try await service.exchange(
                "PUT /echo HTTP/1.1\r\nHost: host.test\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "3\r\nabc\r\n0\r\n\r\n")
            let response = TestResponse(answer)
            #expect(response.fields["transfer-encoding"] == "chunked")
            #expect(response.body == "3\r\nabc\r\n0\r\n\r\n")
        }
    }

    @Test func `an echo begins before the body has ended`() async throws {
        try await withService(.http) { service in
            let connection = try await service.connect()
            try await connection.send("POST /echo HTTP/1.1\r\nHost: host.test\r\nContent-Length: 6\r\n\r\nabc")
            var answer = ""
            while !answer.hasSuffix("abc") {
                let part = try await connection.receive(atLeast: 1)
                answer += String(decoding: part.readableBytesView, as: UTF8.self)
            }
            #expect(answer.hasPrefix("HTTP/1.1 200 OK"))
            try await connection.close()
        }
    }

    @Test func `a large body is echoed while it comes`() async throws {
        let size = 48 * 1024 * 1024
        try await withService(.http) { service in
            let connection = try await service.connect()
            try await connection.send(
                "POST /echo HTTP/1.1\r\nHost: host.test\r\nConnection: close\r\nContent-Length: \(size)\r\n\r\n")
            var head = ByteBuffer()
            var check = PatternCheck()
            async let sending: Void = sendPattern(size, over: connection)
            try await connection.receive { part in
                var part = part
                if check.count == 0 {
                    head.writeBuffer(&part)
                    let text = Array(head.readableBytesView)
                    guard let end = text.indices.first(where: { text[$0...].starts(with: "\r\n\r\n".utf8) }) else {
                        return
                    }
                    part = head.getSlice(at: head.readerIndex + end + 4, length: head.readableBytes - end - 4)!
                }
                check.add(part)
            }
            try await sending
            #expect(check.count == size)
            #expect(check.isIntact)
            try await connection.close()
        }
    }
}
