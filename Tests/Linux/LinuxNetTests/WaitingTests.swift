// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing
import Wire

@testable import LinuxNet

@Suite struct `Waiting` {
    @Test func `reports what is ready, with its token, until it is dealt with`() throws {
        var epoll = try Epoll()
        let first = try EventSignal()
        let second = try EventSignal()
        try epoll.add(first.descriptor, .readable, token: 1)
        try epoll.add(second.descriptor, .readable, token: .max)
        #expect(epoll.wait(until: .zero) == 0)

        second.wake()
        for _ in 0..<2 {
            #expect(epoll.wait() == 1)
            #expect(epoll[0] == Epoll.Event(token: .max, readiness: .readable))
        }
        #expect(second.clear() == true)
        #expect(second.clear() == false)
        #expect(epoll.wait(until: .zero) == 0)

        try epoll.modify(first.descriptor, .readable, token: 7)
        first.wake()
        first.wake()
        #expect(epoll.wait() == 1)
        #expect(epoll[0].token == 7)
        try epoll.remove(first.descriptor)
        #expect(epoll.wait(until: .zero) == 0)
    }

    @Test func `ends at its deadline, not before`() throws {
        var epoll = try Epoll()
        let deadline = MonotonicClock.now() + .microseconds(1500)
        #expect(epoll.wait(until: deadline) == 0)
        #expect(MonotonicClock.now() >= deadline)
    }

    @Test func `hears that the other end has gone`() throws {
        var epoll = try Epoll()
        let pair = try UnixSocket.pair()
        let first = pair.first
        try epoll.add(first.descriptor, [], token: 3)
        hangUp(pair.second)
        #expect(epoll.wait() == 1)
        #expect(epoll[0].readiness.contains(.hangUp))
    }

    func hangUp(_ socket: consuming UnixSocket) {}

    @Test func `refuses what cannot be waited for`() throws {
        let epoll = try Epoll()
        let file = try Descriptor.open("/proc/self/exe", flags: O_RDONLY)
        #expect(throws: SystemError("epoll_ctl(EPOLL_CTL_ADD)", .EPERM)) {
            try epoll.add(file.number, .readable, token: 0)
        }
    }
}

@Suite struct `A worker thread` {
    final class Answer: @unchecked Sendable {
        var name = ""
        var stackSize = 0
    }

    @Test func `has a name and a stack, and is waited for`() throws {
        let answer = Answer()
        let thread = try WorkerThread.start(name: "a-name-of-some-length", stackSize: 4 << 20) {
            answer.name = (try? Self.readComm()) ?? ""
            answer.stackSize = Self.useStack(octets: 3 << 20)
        }
        thread.join()
        #expect(answer.name == "a-name-of-some-")
        #expect(answer.stackSize == 3 << 20)
    }

    /// The name of the calling thread.
    static func readComm() throws -> String {
        let file = try Descriptor.open("/proc/thread-self/comm", flags: O_RDONLY)
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = unsafe read(file.number, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count - 1)), as: UTF8.self)
    }

    /// Overflows where the stack is smaller.
    static func useStack(octets: Int) -> Int {
        unsafe withUnsafeTemporaryAllocation(byteCount: octets, alignment: 16) { buffer in
            unsafe buffer.initializeMemory(as: UInt8.self, repeating: 1)
            return buffer.count
        }
    }
}
