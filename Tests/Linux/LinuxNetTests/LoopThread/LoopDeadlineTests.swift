// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Testing
import Wire

@testable import LinuxNet

/// A loop that is stuck in the middle of a round, one that was not started, and one that has ended.
@Suite struct `A loop thread that cannot answer` {
    /// Stuck until the gate is opened.
    private func stuck(_ gate: Gate) throws -> CountingPair {
        let pair = try CountingPair(named: "stuck", gate: gate)
        try pair.loop.start()
        try pair.send([1])
        gate.isReached.wait()
        return pair
    }

    @Test func `lets nobody wait for longer than the limit`() throws {
        let gate = Gate()
        let pair = try stuck(gate)
        let start = MonotonicClock.now()
        #expect(throws: LoopFailure.timedOut("stuck", after: .milliseconds(20))) {
            try pair.loop.ask(within: .milliseconds(20)) { $0.rounds }
        }
        #expect(throws: LoopFailure.timedOut("stuck", after: .milliseconds(20))) {
            try pair.loop.settle(within: .milliseconds(20))
        }
        let taken = MonotonicClock.now() - start
        #expect(taken >= .milliseconds(40))
        #expect(taken < .seconds(60))
        gate.open()
        #expect(try pair.loop.ask { $0.octets } == [1])
    }

    @Test func `does not deal with a question that nobody waits for any more`() throws {
        let gate = Gate()
        let pair = try stuck(gate)
        let flag = Flag()
        #expect(throws: LoopFailure.self) {
            try pair.loop.ask(within: .milliseconds(5)) { _ in flag.set() }
        }
        gate.open()
        _ = try pair.loop.stop()
        #expect(!flag.isSet)
    }

    @Test func `takes only so many work items`() throws {
        let gate = Gate()
        let pair = try stuck(gate)
        let limit = LoopMailbox<CountingLoop>.limit
        for _ in 0..<limit { #expect(pair.loop.tell { $0.octets.append(2) }) }
        #expect(!pair.loop.tell { $0.octets.append(3) })
        #expect(throws: LoopFailure.overloaded("stuck")) { try pair.loop.ask { $0.rounds } }
        gate.open()
        try pair.loop.settle()
        #expect(try pair.loop.ask { $0.octets.count } == limit + 1)
        #expect(pair.loop.tell { $0.octets = [] })
    }

    @Test func `answers who asks while it is told to stop, or refuses them`() throws {
        for _ in 0..<20 {
            let pair = try CountingPair()
            try pair.loop.start()
            let (answered, refused) = (Counter(), Counter())
            let asking = Reply<Void>()
            let done = Reply<Void>()
            try WorkerThread.start(name: "askers") { [loop = pair.loop] in
                asking.give(())
                for _ in 0..<500 {
                    do throws(LoopFailure) {
                        _ = try loop.ask { $0.rounds }
                        answered.add()
                    } catch .notRunning {
                        refused.add()
                    } catch {
                        Issue.record("\(error)")
                    }
                }
                done.give(())
            }.detach()
            asking.wait()
            _ = try pair.loop.stop()
            done.wait()
            #expect(answered.value + refused.value == 500)
        }
    }

    @Test func `is left to itself if it does not end in time`() throws {
        let gate = Gate()
        let pair = try stuck(gate)
        #expect(throws: LoopFailure.timedOut("stuck", after: .milliseconds(10))) {
            _ = try pair.loop.stop(within: .milliseconds(10))
        }
        #expect(throws: LoopFailure.notRunning("stuck")) { _ = try pair.loop.stop() }
        gate.open()
    }

    @Test func `is not asked before its start, and does then what it was told before`() throws {
        let pair = try CountingPair()
        #expect(throws: LoopFailure.notRunning("counting")) { try pair.loop.ask { $0.rounds } }
        #expect(throws: LoopFailure.notRunning("counting")) { try pair.loop.settle() }
        #expect(pair.loop.tell { $0.octets = [5] })
        try pair.loop.start()
        #expect(try pair.loop.ask { $0.octets } == [5])
    }

    @Test func `gives back the state that it was never started with`() throws {
        let pair = try CountingPair()
        let state = try pair.loop.stop()
        #expect(state.rounds == 0)
        let isFinished = state.isFinished
        #expect(!isFinished)
        #expect(!pair.loop.tell { $0.octets = [1] })
    }

    @Test func `gives the state back once, and is not asked any more`() throws {
        let pair = try CountingPair()
        try pair.loop.start()
        _ = try pair.loop.stop()
        #expect(throws: LoopFailure.notRunning("counting")) { _ = try pair.loop.stop() }
        #expect(throws: LoopFailure.notRunning("counting")) { try pair.loop.ask { $0.rounds } }
        #expect(throws: LoopFailure.notRunning("counting")) { try pair.loop.settle() }
        #expect(!pair.loop.tell { $0.octets = [1] })
    }

    @Test func `says whom it waited for, and how long`() {
        #expect(
            "\(LoopFailure.timedOut("dns", after: .seconds(5)))" == "the thread dns did not answer within 5.0 seconds")
        #expect("\(LoopFailure.notRunning("dns"))" == "the thread dns does not run")
        #expect("\(LoopFailure.overloaded("dns"))" == "the thread dns is overloaded")
    }
}
