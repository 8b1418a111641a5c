// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import DNS64
import Evidence
import LinuxNet
import NIOCore
import Testing
import Topology
import Wire

@testable import World

@Suite("Services that are served when somebody comes", .timeLimit(.minutes(5))) struct LateStartTests {
    /// A time limit that nothing reaches here unless it hangs.
    private static let limit = Duration.seconds(60)

    private static let kinds: [ServiceKind] = [.http, .https, .dot, .tcpEcho]

    @Test(arguments: kinds) func `nothing is made before a client comes, and it is served then`(
        kind: ServiceKind
    ) async throws {
        try await withService(kind) { service in
            #expect(!service.servers.hasBegun)
            let client = try StreamSocket.connect(
                to: LinuxNet.SocketAddress(service.service.address, port: service.port))
            try #require(waitForOutput(client.descriptor, until: MonotonicClock.now() + Self.limit))
            #expect(client.takeConnectionError() == nil)
            await service.settle(within: Self.limit)
            #expect(service.servers.hasBegun)
        }
    }

    @Test func `a connection that came and went before is seen`() async throws {
        try await withService(.http) { service in
            try connectAndLeave(service, times: 1)
            await service.settle(within: Self.limit)
            #expect(service.seen.count == 1)
        }
    }

    @Test func `who comes last, to a service that is served already, is seen`() async throws {
        try await withService(.http) { service in
            _ = try await service.get("/status/204")
            try connectAndLeave(service, times: 300)
            let seen = try await service.seenToTheEnd()
            #expect(seen.count == 301 && seen.dropFirst().allSatisfy(\.wasEndedByClient))
        }
    }

    /// Returns when the kernel has made the connections, whether or not they have been accepted.
    private func connectAndLeave(_ service: RunningService, times: Int) throws {
        for _ in 0..<times {
            let client = try StreamSocket.connect(
                to: LinuxNet.SocketAddress(service.service.address, port: service.port))
            try #require(waitForOutput(client.descriptor, until: MonotonicClock.now() + Self.limit))
        }
    }

    @Test func `all who have come at once are served`() async throws {
        try await withService(.http) { service in
            let answers = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<200 {
                    group.addTask {
                        let client = try await service.connect()
                        try await client.send("GET /status/204 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                        let answer = try await client.receiveToEnd()
                        try await client.close()
                        return String(decoding: answer.readableBytesView.prefix(12), as: UTF8.self)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers == Array(repeating: "HTTP/1.1 204", count: 200))
        }
    }

    @Test(arguments: kinds + [.udpEcho]) func `servers that nobody has come to stop, and leave their port to others`(
        kind: ServiceKind
    ) async throws {
        // A client of another process may have got the port meanwhile, but not in every attempt.
        for attempt in 1... {
            let port = try await withService(kind) { $0.port }
            do {
                let servers = try HermeticServers.start(
                    try Loopback.world(kind, port: port), records: RecordStore([]), authority: CertificateAuthority(),
                    now: { .zero })
                return await servers.stop()
            } catch {
                if attempt == 5 { throw error }
            }
        }
    }

    @Test func `servers stop with a client that has just come`() async throws {
        for _ in 0..<10 {
            let authority = try CertificateAuthority()
            let world = try Loopback.world(.https)
            let servers = try HermeticServers.start(
                world, records: RecordStore([]), authority: authority, now: { .zero })
            let port = servers.port(of: world.services[0])!
            let client = try StreamSocket.connect(to: LinuxNet.SocketAddress(Loopback.ipv4, port: port))
            await servers.stop()
            // It is reset, or ended: it does not hang.
            try #require(waitForInput(client.descriptor, until: MonotonicClock.now() + Self.limit))
        }
    }

    @Test(arguments: kinds + [.udpEcho]) func `early is at once`(kind: ServiceKind) async throws {
        let world = try Loopback.world(kind)
        let authority = try CertificateAuthority()
        let servers = try await aside {
            Result {
                try HermeticServers.start(
                    world, .early, records: RecordStore(world, isAlone: true), authority: authority, now: { .zero })
            }
        }.get()
        #expect(servers.hasBegun)
        await servers.stop()
        #expect(!servers.hasBegun)
    }

    // MARK: Failures

    private struct Failure: Error {}

    @Test func `who cannot be served is refused, and learns why`() throws {
        let service = try Loopback.world(.http).services[0]
        let listener = try ServiceListener(service, ServiceEnd(service))
        let connections = ServedConnections(now: { .zero })
        let interests = try InterestList()
        let loop = try LoopThread(
            name: "listeners", SocketActivator([listener], connections, interests) { _ in throw Failure() },
            on: interests)
        try loop.start()
        connections.begin(ClientSlot(0), at: .zero)
        let first = try StreamSocket.connect(to: listener.address)
        try #require(waitForOutput(first.descriptor, until: MonotonicClock.now() + Self.limit))
        try #require(waitForInput(first.descriptor, until: MonotonicClock.now() + Self.limit))
        var octets: [UInt8] = [0]
        var space = octets.mutableSpan
        #expect(first.read(into: &space) == .error(.ECONNRESET))
        let second = try StreamSocket.connect(to: listener.address)
        try #require(waitForOutput(second.descriptor, until: MonotonicClock.now() + Self.limit))
        #expect(second.takeConnectionError() == .ECONNREFUSED)
        _ = try loop.stop()
        let refusal = WorldRefusal(.serviceFailed, .tcp, Loopback.ipv4, port: 0)
        #expect(connections.end(ClientSlot(0)) == [refusal])
    }
}
