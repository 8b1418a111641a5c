// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import DNS64
import DNSWire
import Evidence
import NIOCore
import Testing
import Wire

@testable import World

@Suite("DNS over TLS (RFC 7858)", .timeLimit(.minutes(5))) struct DNSOverTLSTests {
    private typealias Q = DNSQuestions

    private func with(
        _ body: (RunningService, TestConnection) async throws -> Void, offering: [String] = []
    ) async throws {
        try await withService(.dot, records: Q.records) { service in
            let connection = try await service.connect(tls: service.tls(offering: offering), serverName: "host.test")
            try await body(service, connection)
            try? await connection.close()
        }
    }

    @Test func `tells the world's records as they are, and synthesises nothing`() async throws {
        try await with { service, connection in
            try await connection.send(Q.framed(Q.query("v4.test", id: 1), Q.query("v4.test", .aaaa, id: 2)))
            try await connection.send(Q.framed(Q.query("alias.both.test", .aaaa, id: 3), Q.query("no.test", id: 4)))
            var received = ByteBuffer()
            while try Q.replies(in: received).count < 4 {
                received.writeImmutableBuffer(try await connection.receive(atLeast: 1))
            }
            let replies = try Q.replies(in: received)
            #expect(replies.map(\.id) == [1, 2, 3, 4])
            #expect(replies[0].answer.map(\.data.address) == [.ipv4(IPv4Address(198, 51, 100, 5))])
            #expect(replies[1].responseCode == .noError && replies[1].answer.isEmpty)
            #expect(replies[2].answer.map(\.type) == [.cname, .aaaa])
            #expect(replies[3].responseCode == .nameError)
            #expect(service.queries.map(\.carrier) == [.tls, .tls, .tls, .tls])
            #expect(service.queries[0].addresses == [.ipv4(IPv4Address(198, 51, 100, 5))])
            #expect(service.seen.map(\.queries) == [4])
        }
    }

    @Test(arguments: [(["dot"], "dot"), (["other"], nil), ([], nil)] as [([String], String?)])
    func `is agreed upon by ALPN where the client offers it`(offered: [String], agreed: String?) async throws {
        try await with(
            { service, connection in
                try await connection.send(Q.framed(Q.query("v4.test")))
                let replies = try Q.replies(in: await connection.receive(atLeast: 40))
                #expect(replies.count == 1)
                #expect(service.seen.first?.tls?.end == .completed)
                #expect(service.seen.first?.tls?.applicationProtocol == agreed)
            }, offering: offered)
    }

    @Test func `a query may come octet by octet`() async throws {
        try await with { service, connection in
            for octet in Q.framed(Q.query("v4.test", id: 7)).readableBytesView {
                try await connection.send(ByteBuffer(bytes: [octet]))
            }
            let replies = try Q.replies(in: await connection.receive(atLeast: 40))
            #expect(replies.map(\.id) == [7])
        }
    }

    @Test func `what is no query does no harm`() async throws {
        try await with { service, connection in
            var response = Q.query("v4.test", id: 1)
            response[2] |= 0x80
            let cut = Array(Q.query("v4.test", id: 2).dropLast(3))
            try await connection.send(Q.framed([], [1, 2, 3], response, cut, Q.query("v4.test", id: 3)))
            let replies = try Q.replies(in: await connection.receive(atLeast: 12 + 40))
            #expect(replies.map(\.id) == [2, 3])
            #expect(replies.map(\.responseCode) == [.formatError, .noError])
        }
        try await withService(.dot, records: Q.records) { service in
            for text in ["\u{0}\u{1d}", "GET / HTTP/1.1\r\n\r\n", "\u{16}\u{3}\u{1}\u{0}\u{5}hello"] {
                _ = try? await service.exchange(text)
            }
            let connection = try await service.connect(tls: service.tls(), serverName: "host.test")
            try await connection.send(Q.framed(Q.query("v4.test")))
            let replies = try Q.replies(in: await connection.receive(atLeast: 40))
            #expect(replies.count == 1)
            try await connection.close()
        }
    }

    @Test func `who pads its query gets a padded reply`() async throws {
        try await with { service, connection in
            // The second one is as the resolver remembers it.
            for id in 1...2 as ClosedRange<UInt16> {
                try await connection.send(Q.framed(Q.query("both.test", id: id, edns: Q.padded)))
                let stream = try await connection.receive(atLeast: 2 + 468)
                #expect(stream.readableBytes == 2 + 468)
                let reply = try #require(try Q.replies(in: stream).first)
                #expect(reply.id == id && reply.answer.count == 1 && reply.edns?.options.map(\.code) == [12])
            }
            try await connection.send(Q.framed(Q.query("both.test", edns: EDNS())))
            let plain = try Q.replies(in: await connection.receive(atLeast: 40))
            #expect(plain.first?.edns?.options.isEmpty == true)
        }
    }

    @Test func `who asks, says no more, and takes its time gets all replies`() async throws {
        try await with { service, connection in
            try await connection.send(Q.framed(Q.query("v4.test")))
            _ = try await connection.receive(atLeast: 40)
            try await connection.stopReading()
            let count = 400
            let queries = (0..<count).reduce(into: ByteBuffer()) { stream, id in
                stream.writeImmutableBuffer(Q.framed(Q.query("large.test", .txt, id: UInt16(id))))
            }
            try await connection.send(queries)
            try await connection.finish()
            // Until the server has no more room.
            var (before, asked) = (0, 0)
            repeat {
                before = asked
                try await Task.sleep(for: .milliseconds(200))
                asked = service.seen.first?.queries ?? 0
            } while asked < 2 || asked != before
            #expect(asked < count, "a reply has 50 KB, and the watermark is 1 MB")
            try await connection.readAgain()
            let replies = try Q.replies(in: await connection.receiveToEnd())
            #expect(replies.map(\.id) == (0..<count).map { UInt16($0) })
        }
    }

    @Test func `who asks nothing is left by the server, whatever it says to that`() async throws {
        try await with { service, connection in
            _ = try await connection.receiveToEnd()
            try await connection.close()
            let seen = try #require(try await service.seenToTheEnd().first)
            #expect(seen.tls?.end == .completed && seen.queries == 0 && !seen.wasEndedByClient)
        }
    }

    @Test func `who takes no replies is not read on, and closed in time`() async throws {
        try await with { service, connection in
            try await connection.send(Q.framed(Q.query("v4.test")))
            _ = try await connection.receive(atLeast: 40)
            try await connection.stopReading()
            let queries = (0..<64).reduce(into: ByteBuffer()) { stream, id in
                stream.writeImmutableBuffer(Q.framed(Q.query("large.test", .txt, id: UInt16(id))))
            }
            // 320 MB of replies; what is sent after the server has gone fails.
            for _ in 0..<100 { try? await connection.send(queries) }
            _ = try await service.seenToTheEnd()
            let asked = try #require(service.seen.first?.queries)
            #expect((20..<1000).contains(asked), "a reply has 50 KB, and the watermark is 1 MB")
        }
    }

    @Test func `who brings no whole query is closed in time`() async throws {
        try await with { service, connection in
            var octets = Q.framed(Q.query("v4.test"))
            // A connection that ends is no place to send to.
            while octets.readableBytes > 1, (try? await connection.send(octets.readSlice(length: 1)!)) != nil {
                try await Task.sleep(for: .seconds(1))
            }
            #expect(octets.readableBytes > 10)
            #expect(service.queries.isEmpty)
        }
    }

    @Test func `follows the world when that is read anew`() async throws {
        try await with { service, connection in
            for last in [5, 6] as [UInt8] {
                let store = RecordStore([
                    try ResourceRecord(presentation: "v4.test. 80 A 198.51.100.\(last)", defaultTTL: 60)
                ])
                service.servers.know(store)
                try await connection.send(Q.framed(Q.query("v4.test")))
                let reply = try Q.replies(in: await connection.receive(atLeast: 40)).first
                #expect(reply?.answer.map(\.data.address) == [.ipv4(IPv4Address(198, 51, 100, last))])
            }
        }
    }
}
