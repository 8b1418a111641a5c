import LinuxNet
import Testing
import Wire

@testable import DNSServer

/// RFC 5452 §9.2: how often a port is used, and for how long.
@Suite("Sockets to forwarders") struct UpstreamSocketsTests {
    /// Nothing is sent there.
    private let address = SocketAddress(IPv4Address(127, 0, 0, 1), port: 9)

    /// Sockets, and the token that the next new one gets.
    private final class Bench {
        var sockets = UpstreamSockets()
        var next: UInt64 = 0

        func take(_ server: SocketAddress, at now: Instant = .zero) throws -> UpstreamSocket {
            next += 1
            return try sockets.take(for: next, to: server, token: next, at: now).socket
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
        // Of another server's there are none yet.
        let other = SocketAddress(IPv4Address(127, 0, 0, 1), port: 10)
        let socket = try bench.take(other)
        #expect(socket.server == other && socket.token == bench.next)
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

    @Test func `there are not more than 256 that wait`() throws {
        let bench = Bench()
        var busy: [UpstreamSocket] = []
        for _ in 0..<300 { busy.append(try bench.take(address)) }
        for socket in busy { bench.answer(socket) }
        #expect(busy.count { bench.isOpen($0) } == 256)
    }
}
