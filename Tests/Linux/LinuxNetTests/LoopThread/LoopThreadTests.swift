// SPDX-License-Identifier: Apache-2.0
import Glibc
import Synchronization
import Testing
import Wire

@testable import LinuxNet

@Suite struct `A loop thread` {
    @Test func `deals with its descriptors, and gives the state back`() throws {
        let pair = try CountingPair()
        try pair.loop.start()
        try pair.send([1, 2])
        try pair.loop.settle()
        #expect(try pair.loop.ask { $0.octets } == [1, 2])
        let state = try pair.loop.stop()
        #expect(state.octets == [1, 2])
        #expect(state.rounds == state.advances)
        let isFinished = state.isFinished
        #expect(isFinished)
    }

    @Test func `takes what had come before the stop`() throws {
        for _ in 0..<50 {
            let pair = try CountingPair()
            try pair.loop.start()
            try pair.send([9])
            let state = try pair.loop.stop()
            #expect(state.octets == [9])
        }
    }

    @Test func `does what it is told before what is sent after that`() throws {
        let pair = try CountingPair()
        try pair.loop.start()
        for number in UInt8(0)..<100 {
            #expect(pair.loop.tell { $0.octets = [] })
            try pair.send([number])
            try pair.loop.settle()
            #expect(try pair.loop.ask { $0.octets } == [number])
        }
    }

    @Test func `wakes up at its deadline`() throws {
        let pair = try CountingPair()
        try pair.loop.start()
        let start = MonotonicClock.now()
        pair.loop.tell { $0.nextDeadline = start + .milliseconds(20) }
        // Each question is a round of its own, so these are few.
        var isOver = false
        while !isOver, MonotonicClock.now() - start < .seconds(60) {
            sleep(until: MonotonicClock.now() + .milliseconds(30))
            isOver = try pair.loop.ask { $0.nextDeadline == nil && $0.advances > 1 }
        }
        #expect(isOver)
    }

    @Test func `has its name`() throws {
        let pair = try CountingPair(named: "a-loop-for-tests")
        try pair.loop.start()
        #expect(try pair.loop.ask { _ in (try? `A worker thread`.readComm()) ?? "" } == "a-loop-for-test")
    }

    @Test func `answers many who ask at once, each with its own`() throws {
        let pair = try CountingPair()
        try pair.loop.start()
        let right = Counter()
        try withThreads(16) { [loop = pair.loop] thread in
            for number in 0..<200 {
                let wanted = thread * 1000 + number
                if (try? loop.ask { _ in wanted }) == wanted { right.add() }
            }
        }
        #expect(right.value == 16 * 200)
    }

    @Test func `ends with its owner, and closes what is its own`() throws {
        let other = try startAndLetGo()
        // A process that another test starts has a copy of the socket until it executes its program.
        _ = waitForInput(other.descriptor, until: MonotonicClock.now() + .seconds(60))
        guard case .closed = try other.receive(upTo: 1, waiting: false) else {
            Issue.record("the loop's end of the socket is open still")
            return
        }
    }

    private func startAndLetGo() throws -> UnixSocket {
        let pair = try CountingPair()
        try pair.loop.start()
        return pair.takeOther()
    }

    @Test func `can be let go by its own work item`() throws {
        let gone = Reply<Void>()
        try letGo { gone.give(()) }
        #expect(gone.wait(atMost: .seconds(5)) != nil)
    }

    /// Afterwards only the work item refers to the loop, and lets it go.
    private func letGo(_ done: @escaping @Sendable () -> Void) throws {
        let isLast = Reply<Void>()
        let holder = Holder()
        do {
            let pair = try CountingPair()
            try pair.loop.start()
            holder.loop.withLock { $0 = pair.loop }
            pair.loop.tell { _ in
                isLast.wait()
                holder.loop.withLock { $0 = nil }
                done()
            }
        }
        isLast.give(())
    }

    private final class Holder: Sendable {
        let loop = Mutex<LoopThread<CountingLoop>?>(nil)
    }

    @Test func `leaves no descriptor`() throws {
        let before = try openDescriptors()
        for index in 0..<200 {
            let pair = try CountingPair()
            if index % 4 > 0 { try pair.loop.start() }
            if index % 2 > 0 { _ = try pair.loop.stop() }
        }
        // Other tests have some of their own; of these loops, each had four.
        #expect(try openDescriptors() < before + 100)
    }

    private func openDescriptors() throws -> Int {
        let folder = unsafe opendir("/proc/self/fd")
        guard let folder = unsafe folder else { throw SystemError.last("opendir") }
        defer { unsafe closedir(folder) }
        var count = 0
        while unsafe readdir(folder) != nil { count += 1 }
        return count
    }
}
