// SPDX-License-Identifier: Apache-2.0
import Testing
import Wire

@testable import LinuxNet

@Suite struct `A stream socket` {
    func wait(for descriptor: Int32, _ interest: Epoll.Readiness) throws {
        var epoll = try Epoll()
        try epoll.add(descriptor, interest, token: 0)
        #expect(epoll.wait(until: MonotonicClock.now() + .seconds(5)) == 1)
    }

    func read(_ socket: borrowing StreamSocket) -> (StreamSocket.ReadResult, [UInt8]) {
        var buffer = [UInt8](repeating: 0xa5, count: 64)
        var span = buffer.mutableSpan
        let result = socket.read(into: &span)
        guard case .bytes(let count) = result else { return (result, []) }
        return (result, Array(buffer.prefix(count)))
    }

    @Test(arguments: [
        SocketAddress(IPv4Address(127, 0, 0, 1), port: 0), SocketAddress(IPv6Address.loopback, port: 0),
    ])
    func `carries octets both ways and says when there will be no more`(address: SocketAddress) throws {
        let listener = try StreamListener(bindingTo: address)
        guard case .wouldBlock = listener.accept() else {
            Issue.record("nobody has connected yet")
            return
        }
        let client = try StreamSocket.connect(to: listener.localAddress)
        try wait(for: client.descriptor, .writable)
        #expect(client.takeConnectionError() == nil)
        try wait(for: listener.descriptor, .readable)
        guard case .connection(let server, let peer) = listener.accept() else {
            Issue.record("no connection")
            return
        }
        #expect(peer == client.localAddress)
        #expect(server.localAddress == listener.localAddress)

        #expect(read(server).0 == .wouldBlock)
        #expect(client.write([1, 2, 3].span) == .bytes(3))
        client.finishWriting()
        try wait(for: server.descriptor, .readable)
        #expect(read(server).1 == [1, 2, 3])
        try wait(for: server.descriptor, .readable)
        #expect(read(server).0 == .end)
        #expect(server.write([4].span) == .bytes(1))
        try wait(for: client.descriptor, .readable)
        #expect(read(client).1 == [4])
    }

    @Test func `never blocks when the other end does not read`() throws {
        let listener = try StreamListener(bindingTo: SocketAddress(IPv6Address.loopback, port: 0))
        let client = try StreamSocket.connect(to: listener.localAddress)
        try wait(for: client.descriptor, .writable)
        let block = [UInt8](repeating: 0, count: 1 << 20)
        var result = StreamSocket.WriteResult.bytes(0)
        for _ in 0..<64 {
            result = client.write(block.span)
            if result == .wouldBlock { break }
        }
        #expect(result == .wouldBlock)
    }

    @Test func `says that nobody listens`() throws {
        let address: SocketAddress
        do {
            let listener = try StreamListener(bindingTo: SocketAddress(IPv6Address.loopback, port: 0))
            address = listener.localAddress
        }
        let client = try StreamSocket.connect(to: address)
        try wait(for: client.descriptor, .writable)
        #expect(client.takeConnectionError() == .ECONNREFUSED)
    }
}
