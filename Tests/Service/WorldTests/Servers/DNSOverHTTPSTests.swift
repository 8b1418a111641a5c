// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import DNSWire
import Evidence
import NIOCore
import Testing
import Wire

@testable import World

@Suite("DNS over HTTPS (RFC 8484)", .timeLimit(.minutes(5))) struct DNSOverHTTPSTests {
    private typealias Q = DNSQuestions

    private let web: WebSettings = {
        var web = WebSettings()
        web.answersDNS = true
        return web
    }()

    /// A response whose body is a message, or is not.
    private struct Answer {
        let head: TestResponse
        let body: [UInt8]

        var message: Message? { try? Message(body.span) }

        init(_ octets: ByteBuffer) throws {
            let octets = Array(octets.readableBytesView)
            let end = try #require(octets.indices.first { octets[$0...].starts(with: Array("\r\n\r\n".utf8)) })
            head = TestResponse(String(decoding: octets[..<end], as: UTF8.self) + "\r\n\r\n")
            body = Array(octets[(end + 4)...])
        }
    }

    private func ask(
        _ service: RunningService, _ target: String, method: String = "GET", type: String? = nil, body: [UInt8] = []
    ) async throws -> Answer {
        let connection = try await service.connect(tls: service.tls(), serverName: "host.test")
        let typeField = type.map { "Content-Type: \($0)\r\n" } ?? ""
        let length = body.isEmpty ? "" : "Content-Length: \(body.count)\r\n"
        try await connection.send(
            "\(method) \(target) HTTP/1.1\r\nHost: host.test\r\nConnection: close\r\n\(typeField)\(length)\r\n")
        try await connection.send(ByteBuffer(bytes: body))
        let answer = try await connection.receiveToEnd()
        try? await connection.close()
        return try Answer(answer)
    }

    private func target(_ query: [UInt8]) -> String { "/dns-query?dns=\(BitEncoding.base64URL.encode(query))" }

    @Test func `answers by GET, HEAD and POST`() async throws {
        try await withService(.https, web: web, records: Q.records) { service in
            let query = Q.query("both.test", .aaaa)
            let got = try await ask(service, target(query))
            let posted = try await ask(
                service, "/dns-query", method: "POST", type: "Application/DNS-Message; a=b", body: query)
            for answer in [got, posted] {
                #expect(answer.head.status == 200)
                #expect(answer.head.fields["content-type"] == "application/dns-message")
                #expect(answer.message?.answer.map(\.data.address) == [IPAddress("2e00:2:0:cafe::1")!])
            }
            #expect(got.body == posted.body)
            let head = try await ask(service, target(query), method: "HEAD")
            #expect(head.head.status == 200 && head.body.isEmpty)
            #expect(head.head.fields["content-length"] == "\(got.body.count)")
            #expect(service.queries.map(\.count) == [3] && service.queries.map(\.carrier) == [.https])
        }
    }

    @Test(
        arguments: [
            ("both.test", .a, .noError, 60), ("alias.both.test", .aaaa, .noError, 30),
            ("v4.test", .aaaa, .noError, 300),
            ("nobody.zone.test", .a, .nameError, 120), ("v4.test", .axfr, .notImplemented, 0),
        ] as [(String, RecordType, ResponseCode, Int)])
    func `may be kept as long as the records, or their absence`(
        name: String, type: RecordType, code: ResponseCode, seconds: Int
    ) async throws {
        try await withService(.https, web: web, records: Q.records) { service in
            let answer = try await ask(service, target(Q.query(name, type)))
            // RFC 8484 §4.2.1
            #expect(answer.head.status == 200 && answer.message?.responseCode == code)
            #expect(answer.head.fields["cache-control"] == "max-age=\(seconds)")
        }
    }

    @Test func `who pads its query gets a padded reply`() async throws {
        try await withService(.https, web: web, records: Q.records) { service in
            let answer = try await ask(service, target(Q.query("both.test", edns: Q.padded)))
            #expect(answer.body.count == 468 && answer.message?.edns?.options.map(\.code) == [12])
        }
    }

    @Test func `says what is wrong with a request`() async throws {
        try await withService(.https, web: web, records: Q.records) { service in
            let query = Q.query("v4.test")
            let messages = ["", "?dns=", "?dns=AA+/", "?dns=AAA=", "?dns=A"]
            for target in messages.map({ "/dns-query" + $0 }) {
                let answer = try await ask(service, target)
                #expect(answer.head.status == 400, Comment(rawValue: target))
            }
            let delete = try await ask(service, target(query), method: "DELETE")
            #expect(delete.head.status == 405 && delete.head.fields["allow"] == "GET, HEAD, POST")
            for type in [nil, "text/plain", "application/dns-message2"] {
                let answer = try await ask(service, "/dns-query", method: "POST", type: type, body: query)
                #expect(answer.head.status == 415)
            }
            let type = "application/dns-message"
            let short = try await ask(service, "/dns-query", method: "POST", type: type, body: [1, 2, 3])
            #expect(short.head.status == 400)
            let long = try await ask(
                service, "/dns-query", method: "POST", type: type, body: Array(repeating: 0, count: 65_536))
            #expect(long.head.status == 413)
            let cut = try await ask(service, "/dns-query", method: "POST", type: type, body: Array(query.dropLast()))
            #expect(cut.head.status == 200 && cut.message?.responseCode == .formatError)
            let elsewhere = try await ask(service, "/dns-query/", type: type)
            #expect(elsewhere.head.status == 404)
        }
        // A server answers queries only if it is configured to.
        try await withService(.https, records: Q.records) { service in
            let answer = try await ask(service, target(Q.query("v4.test")))
            #expect(answer.head.status == 404)
        }
    }

    @Test func `a message that is too long leaves the connection to the next one`() async throws {
        try await withService(.https, web: web, records: Q.records) { service in
            let connection = try await service.connect(tls: service.tls(), serverName: "host.test")
            let size = 1 << 20
            try await connection.send(
                "POST /dns-query HTTP/1.1\r\nHost: host.test\r\nContent-Type: application/dns-message\r\nContent-Length: \(size)\r\n\r\n"
            )
            try await connection.send(ByteBuffer(repeating: 0, count: size))
            try await connection.send(
                "GET \(target(Q.query("v4.test"))) HTTP/1.1\r\nHost: host.test\r\nConnection: close\r\n\r\n")
            let answers = String(decoding: try await connection.receiveToEnd().readableBytesView, as: UTF8.self)
            #expect(answers.hasPrefix("HTTP/1.1 413") && answers.contains("HTTP/1.1 200"))
            try? await connection.close()
        }
    }
}
