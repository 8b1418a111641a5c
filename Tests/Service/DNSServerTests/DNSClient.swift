// SPDX-License-Identifier: Apache-2.0
import DNSWire
import LinuxNet
import Testing
import Wire

/// A client for tests, over the sockets of this machine's loopback.
struct DNSClient {
    let server: SocketAddress

    static func query(_ name: String, _ type: RecordType, id: UInt16 = 1) throws -> Message {
        Message(
            id: id, flags: .recursionDesired, questions: [Question(name: try DomainName(name), type: type)],
            edns: EDNS())
    }

    /// The replies to the datagrams, in the order of arrival; waits for `count` of them, at most two seconds.
    func exchange(_ datagrams: [[UInt8]], expecting count: Int, from source: SocketAddress? = nil) throws -> [Message] {
        let socket = try DatagramSocket(bindingTo: source ?? server.withPort(0))
        var epoll = try Epoll()
        try epoll.add(socket.descriptor, .readable, token: 1)
        var batch = DatagramBatch(datagramCapacity: 8192)
        for datagram in datagrams {
            batch.removeAll()
            let isAdded = batch.append(datagram.span, to: server)
            #expect(isAdded)
            socket.send(batch)
        }
        let deadline = MonotonicClock.now() + .seconds(2)
        var messages: [Message] = []
        while messages.count < count, epoll.wait(until: deadline) > 0 {
            guard case .received(let received) = socket.receive(into: &batch) else { continue }
            for index in 0..<received {
                let peer = batch.peer(index)
                #expect(peer == server)
                messages.append(try Message(batch.bytes(index)))
            }
        }
        return messages
    }

    /// Sends the octets over one connection, and reads until `count` messages have come, the server closes or two seconds
    /// are over.
    /// - Parameter finishing: says that nothing more will come.
    func stream(_ pieces: [[UInt8]], expecting count: Int, finishing: Bool = false) throws -> (
        messages: [Message], isClosed: Bool
    ) {
        let socket = try StreamSocket.connect(to: server)
        var epoll = try Epoll()
        try epoll.add(socket.descriptor, .writable, token: 1)
        let deadline = MonotonicClock.now() + .seconds(2)
        _ = epoll.wait(until: deadline)
        for piece in pieces {
            guard case .bytes(piece.count) = socket.write(piece.span) else { return ([], true) }
        }
        if finishing { socket.finishWriting() }
        try epoll.modify(socket.descriptor, .readable, token: 1)
        var framing = StreamFraming()
        var messages: [Message] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while messages.count < count, epoll.wait(until: deadline) > 0 {
            var target = buffer.mutableSpan
            guard case .bytes(let received) = socket.read(into: &target) else { return (messages, true) }
            framing.append(buffer.span.extracting(first: received))
            while let message = framing.nextMessage() { messages.append(try Message(message.span)) }
        }
        return (messages, false)
    }
}

extension SocketAddress {
    func withPort(_ port: UInt16) -> SocketAddress {
        var changed = self
        changed.port = port
        return changed
    }
}
