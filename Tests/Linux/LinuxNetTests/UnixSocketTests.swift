// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc
import Testing

@testable import LinuxNet

@Suite struct `A Unix socket` {
    /// The result of one receive, as a copy.
    enum Outcome: Equatable {
        case message([UInt8], hasDescriptor: Bool)
        case wouldBlock
        case closed
    }

    func receive(_ socket: borrowing UnixSocket, room: Int = 64, waiting: Bool = true) throws(SystemError) -> Outcome {
        switch try socket.receive(upTo: room, waiting: waiting) {
        case .message(let octets, let descriptor): return .message(octets, hasDescriptor: descriptor != nil)
        case .wouldBlock: return .wouldBlock
        case .closed: return .closed
        }
    }

    func hangUp(_ socket: consuming UnixSocket) {}

    @Test func `keeps messages apart`() throws {
        let pair = try UnixSocket.pair()
        #expect(try receive(pair.second, waiting: false) == .wouldBlock)
        try pair.first.send([1, 2, 3].span)
        try pair.first.send([4].span)
        #expect(try receive(pair.second) == .message([1, 2, 3], hasDescriptor: false))
        #expect(try receive(pair.second) == .message([4], hasDescriptor: false))
    }

    @Test func `passes a descriptor, close-on-exec`() throws {
        let pair = try UnixSocket.pair()
        let signal = try EventSignal()
        try pair.first.send([9].span, descriptor: signal.descriptor)
        guard case .message(_, let passed?) = try pair.second.receive(upTo: 1) else {
            Issue.record("no descriptor came")
            return
        }
        #expect(passed.number != signal.descriptor)
        #expect(fcntl(passed.number, F_GETFD) & FD_CLOEXEC != 0)
        #expect(eventfd_write(passed.number, 1) == 0)
        #expect(signal.clear() == true)
    }

    @Test func `refuses a message that is too long, and goes on`() throws {
        let pair = try UnixSocket.pair()
        try pair.first.send([1, 2, 3].span)
        try pair.first.send([4].span)
        #expect(throws: SystemError("recvmsg", .EMSGSIZE)) { try receive(pair.second, room: 2) }
        #expect(try receive(pair.second, room: 2) == .message([4], hasDescriptor: false))
    }

    @Test func `says that the other end is closed, but only after its last words`() throws {
        let pair = try UnixSocket.pair()
        let first = pair.first
        let second = pair.second
        try first.send([1].span)
        // Unread by the other end when it goes: the kernel would report that before the other end's message.
        try second.send([2].span)
        hangUp(second)
        #expect(try receive(first) == .message([2], hasDescriptor: false))
        #expect(try receive(first) == .closed)
        #expect(throws: SystemError("sendmsg", .EPIPE)) { try first.send([1].span) }
    }
}
