// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Testing
import Wire

@testable import DNSServer
@testable import LinuxNet

@Suite("Questions to forwarders") struct ExchangesTests {
    private static let loopback = SocketAddress(IPv4Address(127, 0, 0, 1), port: 0)

    /// A resolver with one forwarder, and its question.
    private struct Bench {
        var resolver: Resolver
        var actions: [Resolver.Action] = []
        let question: [UInt8]
        let exchange: UInt64

        init(asking server: SocketAddress) throws {
            var configuration = ResolverConfiguration(
                store: RecordStore([], zones: []), networks: [ServedNetwork(policy: .plain)])
            configuration.forwarders = ForwarderConfiguration(servers: [Endpoint(server)])
            resolver = Resolver(configuration, random: SystemRandomness())
            let query = try DNSClient.query("a.test", .a).encoded()
            resolver.receive(
                query.span, from: Endpoint(loopback), over: .udp, ticket: 1, at: MonotonicClock.now(), into: &actions)
            let asked = actions.compactMap { action -> (octets: [UInt8], exchange: UInt64)? in
                guard case .ask(let octets, _, _, let exchange) = action else { return nil }
                return (octets, exchange)
            }
            (question, exchange) = try #require(asked.first)
            actions = []
        }

        func answer(_ address: String) throws -> [UInt8] {
            var answer = try Message(question.span)
            answer.flags.insert(.response)
            answer.answer = [try ResourceRecord(presentation: "a.test. 300 IN A \(address)", defaultTTL: 0)]
            return answer.encoded()
        }

        var replies: [Message] {
            get throws {
                try actions.compactMap { action in
                    guard case .reply(let octets, _) = action else { return nil }
                    return try Message(octets.span)
                }
            }
        }
    }

    @Test func `RFC 5452 §9_1: what came to a port before it was connected is no answer of the forwarder's`() throws {
        let server = try DatagramSocket(bindingTo: Self.loopback)
        let address = server.localAddress
        var bench = try Bench(asking: address)
        // All right, but for its sender.
        let forged = try bench.answer("203.0.113.66")
        let sockets = UpstreamSockets(servers: 1) { server throws(SystemError) in
            let socket = try DatagramSocket(bindingTo: Self.loopback)
            let forger = try DatagramSocket(connectingTo: socket.localAddress)
            try forger.send(forged.span)
            try DatagramSocket.connect(socket.descriptor, to: server)
            return socket
        }
        var epoll = try Epoll()
        var exchanges = try Exchanges(epoll.interests, validator: nil, token: 0, sockets: sockets)
        let isStarted = exchanges.start(bench.exchange, bench.question, .forwarder(Endpoint(address)), .udp)
        #expect(isStarted)
        let deadline = MonotonicClock.now() + .seconds(5)
        #expect(epoll.wait(until: deadline) == 1)
        exchanges.proceed(epoll[0], for: &bench.resolver, into: &bench.actions)
        #expect(bench.resolver.strays == 1 && bench.actions.isEmpty)

        var batch = DatagramBatch(datagramCapacity: 512)
        #expect(server.receive(into: &batch) == .received(1))
        let peer = batch.peer(0)
        let asker = try #require(peer)
        batch.removeAll()
        let answer = try bench.answer("198.51.100.10")
        #expect(batch.append(answer.span, to: asker) == true)
        #expect(server.send(batch) == 1)
        #expect(epoll.wait(until: deadline) == 1)
        exchanges.proceed(epoll[0], for: &bench.resolver, into: &bench.actions)
        #expect(try bench.replies.map { $0.answer.map(\.data) } == [[.a(IPv4Address(198, 51, 100, 10))]])
    }

    @Test func `a question that cannot be asked is said to be so at once`() throws {
        let server = try DatagramSocket(bindingTo: Self.loopback)
        let address = server.localAddress
        let bench = try Bench(asking: address)
        let sockets = UpstreamSockets(servers: 1) { _ throws(SystemError) in
            throw SystemError("socket(SOCK_DGRAM)", .EMFILE)
        }
        let epoll = try Epoll()
        var exchanges = try Exchanges(epoll.interests, validator: nil, token: 0, sockets: sockets)
        let isStarted = exchanges.start(bench.exchange, bench.question, .forwarder(Endpoint(address)), .udp)
        #expect(!isStarted)
    }
}
