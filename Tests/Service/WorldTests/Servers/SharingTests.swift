// SPDX-License-Identifier: Apache-2.0
import Evidence
import NIOCore
import Synchronization
import Testing
import Topology
import Wire

@testable import ConfigurationText
@testable import World

/// The connections to all services together, and which of them are closed for others.
@Suite("Connections that clients share", .timeLimit(.minutes(5))) struct SharingTests {
    private static let service = ServiceEnd(
        World.Service(kind: .http, address: IPAddress("198.51.100.10")!, port: 80, hostNames: []))

    private static func addresses(_ number: Int) -> [IPAddress] {
        let place = ClientSlot(number)
        return [.ipv4(place.poolAddress), .ipv6(place.ipv6(on: .nat64)!), .ipv6(place.ipv6(on: .dualStack)!)]
    }

    @Test func `a client has one share, from whichever of its addresses it comes`() {
        let connections = ServedConnections(limit: 6, now: { .zero + .seconds(2) })
        let closed = Mutex<[Int]>([])
        for place in 0..<2 { connections.begin(ClientSlot(place), at: .zero + .seconds(1)) }
        for index in 0..<6 {
            let number = connections.admit(Self.addresses(0)[index % 3], to: Self.service) {
                closed.withLock { $0.append(index) }
            }
            #expect(number != nil)
        }
        #expect(connections.admit(Self.addresses(0)[0], to: Self.service) {} == nil)
        for index in 0..<3 { #expect(connections.admit(Self.addresses(1)[index], to: Self.service) {} != nil) }
        #expect(closed.withLock { $0 } == [0, 1, 2])
        #expect(connections.admit(Self.addresses(1)[0], to: Self.service) {} == nil)

        func refusal(_ reason: WorldRefusal.Reason, _ count: Int) -> WorldRefusal {
            WorldRefusal(reason, .tcp, IPAddress("198.51.100.10")!, port: 80, count: count, first: .seconds(1))
        }
        #expect(connections.end(ClientSlot(0)) == [refusal(.connectionRefused, 1), refusal(.connectionTaken, 3)])
        #expect(connections.end(ClientSlot(1)) == [refusal(.connectionRefused, 1)])
        // With the client its connections went: the next one in its place has nothing of them.
        #expect(closed.withLock { $0 } == [0, 1, 2, 3, 4, 5])
        connections.begin(ClientSlot(0), at: .zero)
        for _ in 0..<6 { #expect(connections.admit(Self.addresses(0)[1], to: Self.service) {} != nil) }
        #expect(connections.end(ClientSlot(0)).isEmpty)
    }

    @Test func `where no client is, nothing is served`() {
        let connections = ServedConnections(limit: 2, now: { .zero })
        connections.begin(ClientSlot(0), at: .zero)
        #expect(connections.end(ClientSlot(0)).isEmpty)
        // It was in the kernel's queue when its client went.
        #expect(connections.admit(Self.addresses(0)[0], to: Self.service) {} == nil)
        // It comes from no place at all.
        #expect(connections.admit(Loopback.ipv4, to: Self.service) {} != nil)
        connections.begin(ClientSlot(0), at: .zero)
        #expect(connections.admit(Self.addresses(0)[0], to: Self.service) {} != nil)
        #expect(connections.end(ClientSlot(0)).isEmpty)
    }

    @Test func `what is released is free`() {
        let connections = ServedConnections(limit: 1, now: { .zero })
        for _ in 0..<3 {
            let number = connections.admit(Loopback.ipv4, to: Self.service) { Issue.record("nobody else came") }
            connections.release(number ?? 0)
            #expect(number != nil)
        }
    }

    @Test(arguments: [ServiceKind.http, .tcpEcho])
    func `beyond the limit a connection is closed and those that stand go on`(
        kind: ServiceKind
    ) async throws {
        try await withService(kind, limit: 2) { service in
            let held = [try await service.connect(), try await service.connect()]
            for connection in held { try await connection.send("GET /status/204 HTTP/1.1\r\nHost: a\r\n\r\n") }
            for connection in held { _ = try await connection.receive(atLeast: 10) }
            // From the same address, so no other connection gives way: the new one is closed without an answer.
            await #expect(throws: (any Error).self) {
                let third = try await service.connect()
                let answer = try await third.receive(atLeast: 1)
                if answer.readableBytes == 0 { throw ChannelError.eof }
            }
            for connection in held { try await connection.send("GET /status/204 HTTP/1.1\r\nHost: a\r\n\r\n") }
            for connection in held { try await connection.close() }
        }
    }
}
