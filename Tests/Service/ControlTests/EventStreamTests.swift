// SPDX-License-Identifier: Apache-2.0
import Control
import Foundation
import NIOCore
import Testing

@Suite(.timeLimit(.minutes(5))) struct EventStreamTests {
    /// Follows the events until there are `count`.
    private func events(_ count: Int, of api: RunningAPI, whenStanding act: @Sendable () async throws -> Void)
        async throws
        -> [Event]
    {
        let connection = try await api.connect()
        return try await connection.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: "GET /v1/events HTTP/1.1\r\nHost: a\r\n\r\n"))
            var text = ""
            var events: [Event] = []
            var hasActed = false
            for try await part in inbound {
                text += String(buffer: part)
                // Chunk sizes and the head are not JSON objects.
                events = try text.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("{") && $0.hasSuffix("}") }
                    .map { try JSONText.decode(Event.self, from: Array($0.utf8)) }
                if !events.isEmpty, !hasActed {
                    hasActed = true
                    try await act()
                }
                if events.count >= count { break }
            }
            return events
        }
    }

    @Test func `the stream says that it stands and then what happens`() async throws {
        try await withAPI { api in
            let client = api.client
            let events = try await events(2, of: api) { _ = try await client.addFault("any any any any drop") }
            #expect(events.map(\.kind) == [.heartbeat, .faultAdded])
            #expect(events.last?.text == "any any any any drop")
        }
    }

    @Test func `where nothing happens the heart goes on beating`() async throws {
        var limits = ControlServer.Limits.unhurried
        limits.heartbeat = .milliseconds(50)
        try await withAPI(limits) { api in
            let events = try await events(4, of: api) {}
            #expect(events.map(\.kind) == [.heartbeat, .heartbeat, .heartbeat, .heartbeat])
        }
    }

    @Test func `subscribers are limited and a head request is none`() async throws {
        var limits = ControlServer.Limits.unhurried
        limits.subscribers = 1
        limits.heartbeat = .milliseconds(50)
        try await withAPI(limits) { api in
            for _ in 1...3 { #expect(try await api.ask("HEAD", "/v1/events").status == 200) }
            _ = try await events(1, of: api) {
                let refused = try await api.ask("GET", "/v1/events")
                #expect(refused.status == 429)
                #expect(refused.fields["content-type"] == "application/problem+json")
            }
            // The slot is free again as soon as a heartbeat finds the client gone.
            var status: Int?
            repeat { status = try await firstStatus(of: api) } while status == 429
            #expect(status == 200)
        }
    }

    private func firstStatus(of api: RunningAPI) async throws -> Int? {
        let connection = try await api.connect()
        return try await connection.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: "GET /v1/events HTTP/1.1\r\nHost: a\r\n\r\n"))
            for try await part in inbound { return HTTPAnswer(String(buffer: part)).status }
            return nil
        }
    }

    @Test func `a slow reader loses events and learns how many`() async throws {
        var limits = ControlServer.Limits.unhurried
        limits.waitingEvents = 16
        // It reads nothing until others have been served, and those may have to wait for the few threads of a thousand tests.
        limits.timeout = .seconds(600)
        try await withAPI(limits) { api in
            let count = 20_000
            let long = String(repeating: "x", count: 1000)
            let hub = api.daemon.hub
            let gate = AsyncStream<Void>.makeStream()
            let counted = Counted()
            let following = Task { [client = api.client] in
                try await client.followEvents { event in
                    counted.add(event)
                    if event.kind == .prefixChanged { throw CancellationError() }
                    gate.continuation.yield()
                }
            }
            // The first event shows that the stream stands.
            while counted.received == 0 {
                hub.publish(Event(.reloaded, text: "are you there?"))
                try await Task.sleep(for: .milliseconds(10))
            }
            counted.pause()
            for number in 1...count {
                hub.publish(Event(.dropped, text: long, details: ["number": "\(number)"]))
                // The daemon's own buffer is not what is to overflow.
                if number.isMultiple(of: 100) { await Task.yield() }
            }
            // All others are served meanwhile.
            try await api.expectToServe()
            counted.resume()
            while counted.dropped + counted.lost < count {
                hub.publish(Event(.reloaded, text: "and now?"))
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(counted.lost > 0)
            #expect(counted.dropped > 0)
            following.cancel()
            _ = await following.result
        }
    }
}
