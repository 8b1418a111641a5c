// SPDX-License-Identifier: Apache-2.0
import Evidence
import Testing
import Wire

@testable import HostPorts
@testable import LinuxNet

/// The process that leads to ports of the machine, as a thread of this one: what is the client's network elsewhere is the machine's here.
@Suite struct BridgeServiceTests {
    private static let loopback: [IPAddress] = [.ipv4(IPv4Address(127, 0, 0, 1)), .ipv6(.loopback)]

    /// The bridge, with the runner's end of its channel.
    private struct Rig: ~Copyable {
        let channel: UnixSocket
        let thread: WorkerThread
        /// Where the client connects.
        let listenerAddress: SocketAddress
        let ports: [HostPort]

        /// - Parameter machine: where the machine listens, or does not.
        init(to machine: UInt16) throws {
            let pair = try UnixSocket.pair()
            let listener = try StreamListener(
                bindingTo: SocketAddress(IPv4Address(127, 0, 0, 1), port: 0), backlog: 512)
            let ports = [HostPort(listener.localAddress.port, on: machine)]
            try BridgeMessage.serve(index: 0).send(over: pair.first, listener.descriptor)
            let thread = try WorkerThread.start(name: "bridge", with: pair.second) { socket in
                guard var service = try? BridgeService(socket, ports) else { return }
                service.run()
            }
            listenerAddress = listener.localAddress
            self.ports = ports
            channel = pair.first
            self.thread = thread
        }

        func connect() throws -> StreamSocket { try StreamSocket.connect(to: listenerAddress) }

        func finish() throws -> HostPortUse {
            try BridgeMessage.finish.send(over: channel)
            guard waitForInput(channel.descriptor, -1, until: MonotonicClock.now() + .seconds(10)),
                case .message(let octets, _) = try channel.receive(upTo: 1024),
                let use = BridgeMessage.uses(octets, of: ports)?.first
            else { throw SystemError("recvmsg", .ECONNRESET) }
            return use
        }

        consuming func end() {
            let thread = thread
            _ = consume channel
            thread.join()
        }
    }

    private static func wait(for descriptor: Int32, _ interest: Epoll.Readiness) throws {
        var epoll = try Epoll()
        try epoll.add(descriptor, interest, token: 0)
        try #require(epoll.wait(until: MonotonicClock.now() + .seconds(10)) == 1)
    }

    /// Everything until the other end has half-closed, or why it does not come.
    private static func readAll(_ socket: borrowing StreamSocket) throws -> Result<[UInt8], Errno> {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            try wait(for: socket.descriptor, .readable)
            var span = buffer.mutableSpan
            switch socket.read(into: &span) {
            case .bytes(let count): all += buffer.prefix(count)
            case .end: return .success(all)
            case .wouldBlock: break
            case .error(let reason): return .failure(reason)
            }
        }
    }

    private static func write(_ octets: [UInt8], to socket: borrowing StreamSocket) throws {
        var start = 0
        while start < octets.count {
            switch socket.write(octets.span.extracting(start...)) {
            case .bytes(let count): start += count
            case .wouldBlock: try wait(for: socket.descriptor, .writable)
            case .error(let reason): throw SystemError("send", reason)
            }
        }
    }

    private static func accept(_ listener: borrowing StreamListener) throws -> StreamSocket {
        try wait(for: listener.descriptor, .readable)
        guard case .connection(let socket, _) = listener.accept() else { throw SystemError("accept", .ECONNRESET) }
        return socket
    }

    @Test(arguments: loopback)
    func `octets go both ways, and each end by itself, wherever the machine listens`(_ host: IPAddress) throws {
        let machine = try StreamListener(bindingTo: SocketAddress(host, port: 0))
        let rig = try Rig(to: machine.localAddress.port)
        let client = try rig.connect()
        let server = try Self.accept(machine)
        let request = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        try Self.write(request, to: client)
        client.finishWriting()
        #expect(try Self.readAll(server).get() == request)
        try Self.write([1, 2, 3], to: server)
        server.finishWriting()
        #expect(try Self.readAll(client).get() == [1, 2, 3])
        let use = try rig.finish()
        #expect((use.connections, use.refused) == (1, 0))
        rig.end()
    }

    @Test func `what nobody reads waits, and is lost by neither end`() throws {
        let machine = try StreamListener(bindingTo: SocketAddress(IPv6Address.loopback, port: 0))
        let rig = try Rig(to: machine.localAddress.port)
        let client = try rig.connect()
        let server = try Self.accept(machine)
        let block = [UInt8](repeating: 1, count: 1 << 16)
        /// Until nothing is taken any more for a while.
        func fill(_ socket: borrowing StreamSocket) throws -> Int {
            var sent = 0
            var epoll = try Epoll()
            try epoll.add(socket.descriptor, .writable, token: 0)
            while epoll.wait(until: MonotonicClock.now() + .milliseconds(200)) > 0 {
                if case .bytes(let count) = socket.write(block.span) { sent += count }
            }
            return sent
        }
        let forth = try fill(client)
        let back = try fill(server)
        #expect(forth > 0 && back > 0)
        client.finishWriting()
        server.finishWriting()
        #expect(try Self.readAll(server).get().count == forth)
        #expect(try Self.readAll(client).get().count == back)
        rig.end()
    }

    @Test func `a port at which nobody listens resets the connection, and is counted`() throws {
        // The port is bound, but not listening.
        let port = try StreamListener(bindingTo: SocketAddress(IPv4Address(127, 0, 0, 1), port: 0)).localAddress.port
        let rig = try Rig(to: port)
        let client = try rig.connect()
        #expect(try Self.readAll(client) == .failure(.ECONNRESET))
        let use = try rig.finish()
        #expect((use.connections, use.refused) == (1, 1))
        rig.end()
    }

    @Test func `a reset on one side is a reset on the other`() throws {
        let machine = try StreamListener(bindingTo: SocketAddress(IPv4Address(127, 0, 0, 1), port: 0))
        let rig = try Rig(to: machine.localAddress.port)
        let client = try rig.connect()
        let server = try Self.accept(machine)
        server.resetWhenClosed()
        _ = consume server
        #expect(try Self.readAll(client) == .failure(.ECONNRESET))
        rig.end()
    }

    @Test func `what a client has left when it ends is delivered before the bridge answers`() throws {
        let machine = try StreamListener(bindingTo: SocketAddress(IPv4Address(127, 0, 0, 1), port: 0))
        let rig = try Rig(to: machine.localAddress.port)
        for number in 0..<50 {
            let client = try rig.connect()
            try Self.wait(for: client.descriptor, .writable)
            try Self.write([UInt8(number)], to: client)
        }
        #expect(try rig.finish().connections == 50)
        var got: Set<UInt8> = []
        for _ in 0..<50 { got.formUnion(try Self.readAll(Self.accept(machine)).get()) }
        #expect(got == Set(0..<50))
        // The next run begins at nothing.
        #expect(try rig.finish().connections == 0)
        rig.end()
    }

    @Test func `an end that is not taken does not keep the runner`() throws {
        let machine = try StreamListener(bindingTo: SocketAddress(IPv4Address(127, 0, 0, 1), port: 0))
        let rig = try Rig(to: machine.localAddress.port)
        let client = try rig.connect()
        try Self.wait(for: client.descriptor, .writable)
        // It lives on, as what has outlived a client might.
        let start = MonotonicClock.now()
        #expect(try rig.finish().connections == 1)
        #expect(MonotonicClock.now() - start < BridgeService.drainLimit + .seconds(5))
        _ = consume client
        rig.end()
    }

    @Test func `ends at a message that makes no sense`() throws {
        for message: [UInt8] in [[0], [9, 9, 9], [1, 7]] {
            let rig = try Rig(to: 1)
            try rig.channel.send(message.span)
            try Self.wait(for: rig.channel.descriptor, .readable)
            guard case .closed = try rig.channel.receive(upTo: 16) else {
                Issue.record("it goes on after \(message)")
                continue
            }
            rig.end()
        }
    }
}

@Suite struct BridgeMessageTests {
    @Test func `counts are read as they were written, and nothing else is`() throws {
        let ports = [HostPort(5432, on: 15432), HostPort(6379, on: 6379)]
        var uses = ports.map { HostPortUse($0) }
        uses[0].connections = 70_000
        uses[1].connections = 3
        uses[1].refused = 2
        let octets = BridgeMessage.octets(of: uses)
        #expect(BridgeMessage.uses(octets, of: ports) == uses)
        #expect(BridgeMessage.uses(Array(octets.dropLast()), of: ports) == nil)
        #expect(BridgeMessage.uses([], of: ports) == nil)
    }
}
