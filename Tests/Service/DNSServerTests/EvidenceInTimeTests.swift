// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSServer
import DNSWire
import LinuxNet
import Testing
import Translation
import Wire

/// The evidence is complete when it is read at the end of a run.
@Suite struct `The DNS service's log` {
    private struct NoReply: Error {}

    private static func service(_ faults: [Fault] = []) throws -> DNSService {
        let records = [try ResourceRecord(presentation: "six.test. 300 IN AAAA 2001:db8::6", defaultTTL: 300)]
        var configuration = ResolverConfiguration(
            store: RecordStore(records), networks: [ServedNetwork(policy: .init(prefix: .wellKnown))])
        configuration.faults = faults
        let service = try DNSService(configuration, listeningOn: [SocketAddress(IPv6Address.loopback, port: 0)])
        try service.start()
        return service
    }

    /// Each name is another one, so that no reply comes out of the cache of replies.
    private static func query(_ number: Int) throws -> [UInt8] {
        try DNSClient.query("n\(number).test", .aaaa, id: UInt16(truncatingIfNeeded: number)).encoded()
    }

    @Test func `has a query over UDP when its reply is there, ten thousand times`() throws {
        let service = try Self.service()
        defer { service.stop() }
        let socket = try DatagramSocket(connectingTo: service.addresses[0])
        var epoll = try Epoll()
        try epoll.add(socket.descriptor, .readable, token: 1)
        var batch = DatagramBatch(datagramCapacity: 4096)
        var missing = 0
        for number in 1...10_000 {
            let query = try Self.query(number)
            let isAnswered = Self.exchange(query, with: service.addresses[0], socket, &epoll, &batch)
            if !isAnswered || service.nextQuery != UInt64(number) + 1 { missing += 1 }
        }
        #expect(missing == 0)
    }

    /// Sends the query, and waits for the reply.
    private static func exchange(
        _ query: [UInt8], with server: SocketAddress, _ socket: borrowing DatagramSocket, _ epoll: inout Epoll,
        _ batch: inout DatagramBatch
    ) -> Bool {
        batch.removeAll()
        _ = batch.append(query.span, to: server)
        socket.send(batch)
        _ = epoll.wait(until: MonotonicClock.now() + .seconds(10))
        return socket.receive(into: &batch) == .received(1)
    }

    @Test func `has a query over TCP when its reply is there`() throws {
        let service = try Self.service()
        defer { service.stop() }
        let socket = try StreamSocket.connect(to: service.addresses[0])
        var epoll = try Epoll()
        try epoll.add(socket.descriptor, .writable, token: 1)
        _ = epoll.wait(until: MonotonicClock.now() + .seconds(10))
        try epoll.modify(socket.descriptor, .readable, token: 1)
        var framing = StreamFraming()
        var buffer = [UInt8](repeating: 0, count: 4096)
        var missing = 0
        for number in 1...2000 {
            var message: [UInt8] = []
            let query = try Self.query(number)
            StreamFraming.append(query, to: &message)
            guard case .bytes(message.count) = socket.write(message.span) else { throw NoReply() }
            while framing.nextMessage() == nil {
                _ = epoll.wait(until: MonotonicClock.now() + .seconds(10))
                var target = buffer.mutableSpan
                guard case .bytes(let count) = socket.read(into: &target) else { throw NoReply() }
                framing.append(buffer.span.extracting(first: count))
            }
            if service.nextQuery != UInt64(number) + 1 { missing += 1 }
        }
        #expect(missing == 0)
    }

    @Test func `has a query that was sent and not waited for, once the service has settled`() throws {
        let service = try Self.service()
        defer { service.stop() }
        let socket = try DatagramSocket(connectingTo: service.addresses[0])
        var batch = DatagramBatch(datagramCapacity: 4096)
        var missing = 0
        for number in 1...1000 {
            let query = try Self.query(number)
            batch.removeAll()
            _ = batch.append(query.span, to: service.addresses[0])
            socket.send(batch)
            service.settle()
            if service.nextQuery != UInt64(number) + 1 { missing += 1 }
        }
        #expect(missing == 0)
    }

    @Test func `has a query whose reply a fault holds back`() throws {
        let service = try Self.service([Fault(presentation: "AAAA delay 1000s")])
        defer { service.stop() }
        let socket = try DatagramSocket(connectingTo: service.addresses[0])
        var batch = DatagramBatch(datagramCapacity: 4096)
        let query = try Self.query(1)
        _ = batch.append(query.span, to: service.addresses[0])
        socket.send(batch)
        service.settle()
        #expect(service.log.all.map { $0.faults.map(\.description) } == [["delay 1000s"]])
    }

    @Test func `is settled where the service has stopped`() throws {
        let service = try Self.service()
        service.stop()
        let before = MonotonicClock.now()
        service.settle()
        #expect(MonotonicClock.now() - before < .seconds(30))
    }
}
