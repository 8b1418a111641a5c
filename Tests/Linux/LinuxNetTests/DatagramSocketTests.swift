// SPDX-License-Identifier: Apache-2.0
import Testing
import Wire

@testable import LinuxNet

@Suite struct `A datagram socket` {
    /// Waits until something has come.
    func receive(_ socket: borrowing DatagramSocket, into batch: inout DatagramBatch) throws
        -> DatagramSocket.ReceiveResult
    {
        var epoll = try Epoll()
        try epoll.add(socket.descriptor, .readable, token: 0)
        _ = epoll.wait(until: MonotonicClock.now() + .seconds(5))
        return socket.receive(into: &batch)
    }

    func bytes(_ batch: borrowing DatagramBatch, _ index: Int) -> [UInt8] {
        let span = batch.bytes(index)
        return span.indices.map { span[$0] }
    }

    @Test(arguments: [
        // The address that the server is bound to, and the one at which it is asked.
        (SocketAddress(IPv4Address(0, 0, 0, 0), port: 0), IPAddress.ipv4(IPv4Address(127, 0, 0, 9))),
        (SocketAddress(IPv6Address.unspecified, port: 0), IPAddress.ipv6(.loopback)),
    ])
    func `answers from the address at which it was asked`(bound: SocketAddress, asked: IPAddress) throws {
        let server = try DatagramSocket(bindingTo: bound)
        let client = try DatagramSocket(bindingTo: bound)
        let port = server.localAddress.port
        var query = DatagramBatch(datagramCapacity: 512)
        #expect(query.append([1, 2, 3].span, to: SocketAddress(asked, port: port)) == true)
        #expect(client.send(query) == 1)

        var batch = DatagramBatch(datagramCapacity: 512)
        #expect(try receive(server, into: &batch) == .received(1))
        #expect(bytes(batch, 0) == [1, 2, 3])
        #expect(batch.local(0)?.host == asked)
        guard let peer = batch.peer(0) else {
            Issue.record("a datagram from nobody")
            return
        }
        let local = batch.local(0)
        batch.removeAll()
        #expect(batch.append([4].span, to: peer, from: local) == true)
        #expect(server.send(batch) == 1)

        #expect(try receive(client, into: &batch) == .received(1))
        #expect(bytes(batch, 0) == [4])
        #expect(batch.peer(0) == SocketAddress(asked, port: port))
    }

    @Test func `takes and brings many at once`() throws {
        let server = try DatagramSocket(bindingTo: SocketAddress(IPv6Address.loopback, port: 0))
        let address = server.localAddress
        let client = try DatagramSocket(bindingTo: SocketAddress(IPv6Address.loopback, port: 0))
        var batch = DatagramBatch(datagramCapacity: 16)
        for number in 0..<DatagramBatch.capacity { #expect(batch.append([UInt8(number)].span, to: address) == true) }
        #expect(batch.isFull == true)
        #expect(batch.append([0].span, to: address) == false)
        #expect(client.send(batch) == DatagramBatch.capacity)

        #expect(try receive(server, into: &batch) == .received(DatagramBatch.capacity))
        for number in 0..<DatagramBatch.capacity { #expect(bytes(batch, number) == [UInt8(number)]) }
        #expect(server.receive(into: &batch) == .wouldBlock)
        #expect(batch.count == 0)
    }

    @Test func `connected, asks and hears one server`() throws {
        let peer = try DatagramSocket(bindingTo: SocketAddress(IPv4Address(127, 0, 0, 1), port: 0))
        let address = peer.localAddress
        let client = try DatagramSocket(connectingTo: address)
        var buffer = [UInt8](repeating: 0xa5, count: 4)
        func take() -> DatagramSocket.TakeResult {
            var target = buffer.mutableSpan
            return client.take(into: &target)
        }
        #expect(take() == .wouldBlock)
        try client.send([1, 2, 3].span)
        var batch = DatagramBatch(datagramCapacity: 16)
        #expect(try receive(peer, into: &batch) == .received(1))
        #expect(bytes(batch, 0) == [1, 2, 3] && batch.local(0) == nil)
        guard let asker = batch.peer(0) else {
            Issue.record("a datagram from nobody")
            return
        }
        batch.removeAll()
        for octets in [[7, 8], [], [1, 2, 3, 4, 5, 6]] as [[UInt8]] {
            #expect(batch.append(octets.span, to: asker) == true)
        }
        #expect(peer.send(batch) == 3)
        #expect(take() == .datagram(2, from: address))
        #expect(buffer == [7, 8, 0xa5, 0xa5])
        #expect(take() == .datagram(0, from: address))
        #expect(take() == .datagram(4, from: address))
        #expect(buffer == [1, 2, 3, 4])
    }

    @Test func `connected, learns that nobody is there`() throws {
        // The socket occupies its port, and is connected to another peer, so datagrams from others are refused.
        let keeper = try DatagramSocket(connectingTo: SocketAddress(IPv4Address(127, 0, 0, 1), port: 9))
        let client = try DatagramSocket(connectingTo: keeper.localAddress)
        var epoll = try Epoll()
        try epoll.add(client.descriptor, .readable, token: 0)
        try client.send([1].span)
        #expect(epoll.wait(until: MonotonicClock.now() + .seconds(5)) == 1)
        var buffer = [UInt8](repeating: 0, count: 4)
        var target = buffer.mutableSpan
        let result = client.take(into: &target)
        #expect(result == .error(.ECONNREFUSED))

        try client.send([1].span)
        #expect(epoll.wait(until: MonotonicClock.now() + .seconds(5)) == 1)
        #expect(throws: SystemError("send", .ECONNREFUSED)) { try client.send([2].span) }
        // A refusal is told once.
        try client.send([3].span)
    }

    @Test(arguments: [
        SocketAddress(IPv4Address(127, 0, 0, 1), port: 0), SocketAddress(IPv6Address.loopback, port: 0),
    ])
    func `connected, says of what came before who sent it`(loopback: SocketAddress) throws {
        let server = try DatagramSocket(bindingTo: loopback)
        let stranger = try DatagramSocket(bindingTo: loopback)
        let client = try DatagramSocket(bindingTo: loopback)
        let (address, strange) = (server.localAddress, stranger.localAddress)
        var batch = DatagramBatch(datagramCapacity: 4)
        #expect(batch.append([1].span, to: client.localAddress) == true)
        #expect(stranger.send(batch) == 1)
        try DatagramSocket.connect(client.descriptor, to: address)
        #expect(server.send(batch) == 1 && stranger.send(batch) == 1)
        var buffer = [UInt8](repeating: 0, count: 4)
        func take() -> DatagramSocket.TakeResult {
            var target = buffer.mutableSpan
            return client.take(into: &target)
        }
        #expect(take() == .datagram(1, from: strange))
        #expect(take() == .datagram(1, from: address))
        #expect(take() == .wouldBlock)
    }

    @Test func `says when a datagram was longer than its place`() throws {
        let server = try DatagramSocket(bindingTo: SocketAddress(IPv4Address(127, 0, 0, 1), port: 0))
        var batch = DatagramBatch(datagramCapacity: 4)
        var long = DatagramBatch(datagramCapacity: 8)
        #expect(batch.append([1, 2, 3, 4, 5].span, to: server.localAddress) == false)
        #expect(long.append([1, 2, 3, 4, 5].span, to: server.localAddress) == true)
        #expect(server.send(long) == 1)
        #expect(try receive(server, into: &batch) == .received(1))
        #expect(batch.isTruncated(0) == true)
        #expect(bytes(batch, 0) == [1, 2, 3, 4])
    }

    @Test func `loses the datagrams that the kernel refuses, and no others`() throws {
        let server = try DatagramSocket(bindingTo: SocketAddress(IPv4Address(127, 0, 0, 1), port: 0))
        let address = server.localAddress
        var batch = DatagramBatch(datagramCapacity: 8)
        #expect(batch.append([1].span, to: address) == true)
        // Broadcast without permission.
        #expect(batch.append([2].span, to: SocketAddress(IPv4Address(255, 255, 255, 255), port: 9)) == true)
        #expect(batch.append([3].span, to: address) == true)
        #expect(server.send(batch) == 2)
    }

    @Test func `of IPv6 leaves IPv4 alone`() throws {
        let six = try DatagramSocket(bindingTo: SocketAddress(IPv6Address.unspecified, port: 0))
        let port = six.localAddress.port
        _ = try DatagramSocket(bindingTo: SocketAddress(IPv4Address(0, 0, 0, 0), port: port))
    }

    @Test func `says to which address it cannot be bound`() throws {
        let taken = try DatagramSocket(bindingTo: SocketAddress(IPv4Address(127, 0, 0, 1), port: 0))
        let address = taken.localAddress
        #expect(throws: SystemError("bind", .EADDRINUSE, what: "\(address)")) {
            _ = try DatagramSocket(bindingTo: address)
        }
    }
}
