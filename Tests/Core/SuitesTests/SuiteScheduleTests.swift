// SPDX-License-Identifier: Apache-2.0
import Randomness
import Testing
import Topology
import Wire

@testable import Suites

@Suite struct SuiteScheduleTests {
    private typealias Action = SuiteSchedule.Action

    private func schedule(
        _ tests: [SuiteTest], jobs: Int = 2, groups: [String: Int] = [:], failures: Int? = nil, deadline: Instant? = nil
    ) -> SuiteSchedule {
        SuiteSchedule(
            tests.map { SuiteCase(test: $0, network: .nat64) },
            SuiteSchedule.Limits(jobs: jobs, groups: groups, failures: failures, deadline: deadline))
    }

    private func test(cpus: Int = 1, group: String? = nil, skip: String? = nil) -> SuiteTest {
        var test = SuiteTest(name: "fetch", command: .words(["true"]))
        (test.cpus, test.group, test.skip) = (cpus, group, skip)
        return test
    }

    private func second(_ number: Int) -> Instant { .zero + .seconds(number) }

    private func cancelled(_ index: Int, _ why: String) -> Action {
        .settle(index, .cancelled, message: "not run: \(why)")
    }

    @Test func `cases begin in file order, as many at a time as there are jobs`() {
        var schedule = schedule([test(), test(), test()])
        #expect(schedule.next(at: .zero) == [.begin(0), .begin(1)])
        #expect(schedule.next(at: .zero).isEmpty)
        schedule.end(1, isRed: false)
        #expect(schedule.next(at: .zero) == [.begin(2)])
        schedule.end(0, isRed: true)
        #expect(!schedule.isDone)
        schedule.end(2, isRed: false)
        #expect(schedule.isDone && schedule.next(at: .zero).isEmpty)
    }

    @Test func `a case with many cpus lets others overtake it and begins after them`() {
        var schedule = schedule([test(), test(cpus: 9), test(), test()])
        #expect(schedule.next(at: .zero) == [.begin(0), .begin(2)])
        schedule.end(0, isRed: false)
        #expect(schedule.next(at: .zero) == [.begin(3)])
        schedule.end(2, isRed: false)
        #expect(schedule.next(at: .zero).isEmpty)
        schedule.end(3, isRed: false)
        #expect(schedule.next(at: .zero) == [.begin(1)])
    }

    @Test func `a group never has more running cases than its limit`() {
        var schedule = schedule([test(group: "db"), test(group: "db"), test(group: "web")], jobs: 3, groups: ["db": 1])
        #expect(schedule.next(at: .zero) == [.begin(0), .begin(2)])
        schedule.end(0, isRed: false)
        #expect(schedule.next(at: .zero) == [.begin(1)])
    }

    @Test func `a skipped case does not use a job`() {
        var schedule = schedule([test(skip: "no network"), test()], jobs: 1)
        #expect(schedule.next(at: .zero) == [.settle(0, .skip, message: "no network"), .begin(1)])
    }

    @Test func `no case begins after the allowed number of red cases, and running cases continue`() {
        var schedule = schedule([test(), test(), test()], failures: 1)
        #expect(schedule.next(at: .zero).count == 2)
        schedule.end(0, isRed: true)
        #expect(schedule.next(at: .zero) == [cancelled(2, "--max-fail was reached")])
        #expect(!schedule.isEnding && !schedule.isDone)
        schedule.end(1, isRed: false)
        #expect(schedule.isDone)
    }

    @Test func `at the suite's deadline clients get SIGTERM, and SIGKILL 15 s later`() {
        var schedule = schedule([test(), test()], jobs: 1, deadline: second(60))
        _ = schedule.next(at: .zero)
        #expect(schedule.nextDeadline == second(60))
        #expect(schedule.next(at: second(60) + .nanoseconds(-1)).isEmpty)
        #expect(schedule.next(at: second(60)) == [.endClients, cancelled(1, "--suite-timeout was reached")])
        #expect(schedule.isTimedOut && schedule.isEnding && schedule.nextDeadline == second(75))
        #expect(schedule.next(at: second(74)).isEmpty)
        #expect(schedule.next(at: second(75)) == [.killClients])
        #expect(schedule.nextDeadline == nil && schedule.next(at: second(100)).isEmpty)
        schedule.end(0, isRed: true)
        #expect(schedule.isDone)
    }

    @Test func `the first signal sends SIGTERM to clients, every further signal SIGKILL`() {
        var schedule = schedule([test(), test()], jobs: 1, deadline: second(60))
        _ = schedule.next(at: .zero)
        schedule.take(signal: 15)
        #expect(schedule.next(at: second(1)) == [.endClients, cancelled(1, "the suite was ended")])
        schedule.take(signal: 2)
        #expect(schedule.next(at: second(2)) == [.killClients])
        schedule.take(signal: 2)
        #expect(schedule.next(at: second(3)) == [.killClients])
        #expect(schedule.next(at: second(90)).isEmpty)
        #expect(schedule.signal == 15 && !schedule.isTimedOut)
    }

    @Test func `two signals at once send SIGTERM and SIGKILL`() {
        var schedule = schedule([test()])
        _ = schedule.next(at: .zero)
        schedule.take(signal: 15)
        schedule.take(signal: 2)
        #expect(schedule.next(at: second(1)) == [.endClients, .killClients])
        #expect(schedule.nextDeadline == nil)
    }

    @Test func `no case begins after a signal that comes first`() {
        var schedule = schedule([test(), test(skip: "x")])
        schedule.take(signal: 15)
        #expect(
            schedule.next(at: .zero) == [
                .endClients, cancelled(0, "the suite was ended"), cancelled(1, "the suite was ended"),
            ])
        #expect(schedule.isDone)
    }

    @Test(arguments: 0..<300) func `every case gets one outcome, within all limits, in any order of events`(
        _ seed: UInt64
    ) {
        var random = SplitMix64(seed: seed)
        let tests = (0..<Int.random(in: 0...20, using: &random)).map { _ in
            test(
                cpus: Int.random(in: 1...5, using: &random), group: [nil, "a", "b"].randomElement(using: &random)!,
                skip: Int.random(in: 0..<8, using: &random) == 0 ? "x" : nil)
        }
        let jobs = Int.random(in: 1...4, using: &random)
        var schedule = schedule(
            tests, jobs: jobs, groups: ["a": 1, "b": 2],
            failures: seed % 3 == 0 ? 2 : nil, deadline: seed % 4 == 0 ? second(20) : nil)
        var told: Set<Int> = []
        var running: [Int] = []
        for time in 0..<1000 where !schedule.isDone {
            let mayBegin = !schedule.isEnding
            for action in schedule.next(at: second(time)) {
                switch action {
                case .begin(let index):
                    #expect(mayBegin && told.insert(index).inserted)
                    running.append(index)
                case .settle(let index, _, _): #expect(told.insert(index).inserted)
                case .endClients: break
                case .killClients:
                    running.forEach { schedule.end($0, isRed: true) }
                    running = []
                }
            }
            #expect(running.map { min(jobs, tests[$0].cpus) }.reduce(0, +) <= jobs)
            #expect(running.count { tests[$0].group == "a" } <= 1 && running.count { tests[$0].group == "b" } <= 2)
            #expect(!running.isEmpty || schedule.isDone)
            if let index = running.randomElement(using: &random), Bool.random(using: &random) {
                running.removeAll { $0 == index }
                schedule.end(index, isRed: Bool.random(using: &random))
            }
            if Int.random(in: 0..<40, using: &random) == 0 { schedule.take(signal: 15) }
        }
        #expect(schedule.isDone && told == Set(tests.indices))
    }
}
