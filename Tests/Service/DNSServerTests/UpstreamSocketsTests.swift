// SPDX-License-Identifier: Apache-2.0
import LinuxNet
import Synchronization
import Testing
import Wire

@testable import DNSServer

/// RFC 5452 §9.2: how often a port is used, and for how long.
@Suite("Sockets to forwarders") final class UpstreamSocketsTests {
    /// One that hears whatever it is asked.
    private let listener: DatagramSocket
    private let address: SocketAddress
    private let others: [SocketAddress]

    init() throws {
        listener = try DatagramSocket(bindingTo: SocketAddress(IPv4Address(0, 0, 0, 0), port: 0))
        let port = listener.localAddress.port
        address = SocketAddress(IPv4Address(127, 0, 0, 1), port: port)
        others = (2...16).map { SocketAddress(IPv4Address(127, 0, 0, $0), port: port) }
    }

    /// Sockets, and the token that the next new one gets.
    private final class Bench {
        var sockets: UpstreamSockets
        var next: UInt64 = 0

        init(servers: Int = 1) { sockets = UpstreamSockets(servers: servers) }

        init(_ connect: @escaping UpstreamSockets.Connect) { sockets = UpstreamSockets(servers: 1, connect: connect) }

        func ask(_ server: SocketAddress, at now: Instant = .zero) throws -> (socket: UpstreamSocket, isNew: Bool) {
            next += 1
            return try sockets.ask([1].span, for: next, to: server, token: next, at: now)
        }

        func take(_ server: SocketAddress, at now: Instant = .zero) throws -> UpstreamSocket {
            try ask(server, at: now).socket
        }

        func answer(_ socket: UpstreamSocket, at now: Instant = .zero) {
            socket.isAnswered = true
            sockets.giveBack(socket, at: now)
        }

        var deadline: Instant? { sockets.nextDeadline }

        func isOpen(_ socket: UpstreamSocket) -> Bool { sockets[socket.token] != nil }
    }

    @Test func `until there are 64 to choose from, each question has a port of its own`() throws {
        let bench = Bench()
        var ports: Set<UInt16> = []
        for _ in 0..<64 {
            let socket = try bench.take(address)
            ports.insert(socket.socket.localAddress.port)
            bench.answer(socket)
        }
        #expect(ports.count == 64)
        let again = try bench.take(address).socket.localAddress.port
        #expect(ports.contains(again))
        // There are no sockets for another server yet.
        let socket = try bench.take(others[0])
        #expect(socket.server == others[0] && socket.token == bench.next)
    }

    @Test func `a socket has one question at a time, and not more than 48 in all`() throws {
        let bench = Bench()
        var uses: [UInt64: Int] = [:]
        var busy: [UpstreamSocket] = []
        for _ in 0..<5000 {
            let socket = try bench.take(address)
            #expect(!busy.contains { $0 === socket })
            uses[socket.token, default: 0] += 1
            busy.append(socket)
            if busy.count == 10 {
                for socket in busy { bench.answer(socket) }
                busy = []
            }
        }
        #expect(uses.values.max()! <= 48 && uses.values.filter { $0 >= 16 }.count > 50)
    }

    @Test func `who waits for long, was not answered, or is spoken to without having asked is closed`() throws {
        let bench = Bench()
        var idle: [UpstreamSocket] = []
        for _ in 0..<3 { idle.append(try bench.take(address)) }
        let silent = try bench.take(address)
        for socket in idle { bench.answer(socket) }
        bench.sockets.giveBack(silent, at: .zero)
        #expect(!bench.isOpen(silent) && idle.allSatisfy { bench.isOpen($0) })

        bench.sockets.discard(idle[0])
        #expect(!bench.isOpen(idle[0]) && bench.isOpen(idle[1]))

        let late = try bench.take(address, at: .zero + .seconds(6))
        bench.answer(late, at: .zero + .seconds(7))
        let deadline = try #require(bench.deadline)
        #expect(deadline == .zero + .seconds(10))
        bench.sockets.closeExpired(deadline)
        #expect(!bench.isOpen(idle[1]) && !bench.isOpen(idle[2]) && bench.isOpen(late))
        #expect(bench.deadline == .zero + .seconds(16))
        bench.sockets.closeExpired(.zero + .seconds(16))
        #expect(!bench.isOpen(late) && bench.deadline == nil)
    }

    @Test func `one that waits not is closed when its time is over as soon as it is given back`() throws {
        let bench = Bench()
        let socket = try bench.take(address)
        bench.sockets.closeExpired(.zero + .seconds(20))
        #expect(bench.isOpen(socket))
        bench.answer(socket, at: .zero + .seconds(20))
        #expect(!bench.isOpen(socket))
    }

    @Test func `one that has expired is closed in time, and not used again before`() throws {
        let bench = Bench()
        var idle: [UpstreamSocket] = []
        for _ in 0..<64 { idle.append(try bench.take(address)) }
        for socket in idle { bench.answer(socket, at: .zero + .seconds(9)) }
        #expect(bench.deadline == .zero + .seconds(10))
        let (socket, isNew) = try bench.ask(address, at: .zero + .seconds(11))
        #expect(isNew && !idle.contains { $0 === socket })
    }

    @Test func `with one server there are not more than 256 that wait`() throws {
        let bench = Bench()
        var busy: [UpstreamSocket] = []
        for _ in 0..<300 { busy.append(try bench.take(address)) }
        for socket in busy { bench.answer(socket) }
        #expect(busy.count { bench.isOpen($0) } == 256)
    }

    @Test func `of 16 servers that are asked in turn each has its choice`() throws {
        let servers = [address] + others
        let bench = Bench(servers: 16)
        var sockets: [UpstreamSocket] = []
        for _ in 0..<80 {
            for server in servers { sockets.append(try bench.take(server)) }
        }
        for socket in sockets { bench.answer(socket) }
        #expect(sockets.count { bench.isOpen($0) } == 16 * 76)
        for server in servers { #expect(try !bench.ask(server).isNew) }
    }

    // MARK: - Failures

    /// Opens as many sockets as there are descriptors.
    private final class Scarcity: Sendable {
        let left: Atomic<Int>

        init(_ count: Int) { left = Atomic(count) }

        func connect(_ server: SocketAddress) throws(SystemError) -> DatagramSocket {
            guard left.wrappingSubtract(1, ordering: .relaxed).newValue >= 0 else {
                throw SystemError("socket(SOCK_DGRAM)", .EMFILE)
            }
            return try DatagramSocket(connectingTo: server)
        }
    }

    @Test func `where no other can be opened, one that waits is used, however few there are`() throws {
        let scarcity = Scarcity(2)
        let bench = Bench(scarcity.connect)
        let first = try bench.take(address)
        bench.answer(first)
        let other = try bench.take(others[0])
        bench.answer(other)
        let (again, isNew) = try bench.ask(address)
        #expect(again === first && !isNew && bench.isOpen(other))
    }

    @Test func `where none can be opened, those that wait for others give their descriptors`() throws {
        let scarcity = Scarcity(3)
        let bench = Bench(scarcity.connect)
        let (first, other) = (try bench.take(address), try bench.take(others[0]))
        let busy = try bench.take(address)
        for socket in [first, other] { bench.answer(socket) }
        #expect(throws: SystemError("socket(SOCK_DGRAM)", .EMFILE)) { try bench.ask(others[1]) }
        #expect(!bench.isOpen(first) && !bench.isOpen(other) && bench.isOpen(busy) && bench.deadline == nil)
        scarcity.left.store(1, ordering: .relaxed)
        #expect(try bench.ask(others[1]).isNew)
    }

    @Test func `what is no want of descriptors takes none from others`() throws {
        let address = address
        let bench = Bench { server throws(SystemError) in
            guard server == address else { throw SystemError("connect", .EACCES) }
            return try DatagramSocket(connectingTo: server)
        }
        let first = try bench.take(address)
        bench.answer(first)
        #expect(throws: SystemError("connect", .EACCES)) { try bench.ask(others[0]) }
        #expect(bench.isOpen(first))
    }

    /// Waits until all know that what they sent was refused.
    private static func awaitRefusals(_ descriptors: [Int32]) throws(SystemError) {
        var epoll = try Epoll()
        for descriptor in descriptors { try epoll.add(descriptor, .readable, token: 0) }
        let deadline = MonotonicClock.now() + .seconds(10)
        while epoll.wait(until: deadline) < descriptors.count, MonotonicClock.now() < deadline {}
    }

    @Test func `a question that does not go out goes out over another socket, and fails over a new one`() throws {
        // The socket occupies its port, and datagrams from other peers are refused.
        let keeper = try DatagramSocket(connectingTo: address)
        let refusing = keeper.localAddress
        let bench = Bench()
        var idle: [UpstreamSocket] = []
        for _ in 0..<64 { idle.append(try bench.take(refusing)) }
        try Self.awaitRefusals(idle.map { $0.socket.descriptor })
        for socket in idle { bench.answer(socket) }
        let (socket, isNew) = try bench.ask(refusing)
        #expect(isNew && !idle.contains { $0 === socket } && idle.count { bench.isOpen($0) } == 63)

        let broken = Bench { server throws(SystemError) in
            let socket = try DatagramSocket(connectingTo: server)
            try socket.send([1].span)
            try Self.awaitRefusals([socket.descriptor])
            return socket
        }
        #expect(throws: SystemError("send", .ECONNREFUSED)) { try broken.ask(refusing) }
        #expect(broken.sockets[broken.next] == nil)
    }
}
