// SPDX-License-Identifier: Apache-2.0
import Evidence
import EvidenceSupport
import Randomness
import Testing
import Wire

@testable import CallTracing

/// The tracer's tables against slow references that keep the whole history and search it each time.
@Suite(.serialized) struct `The tables of the tracer, at random stops,` {
    /// An event of one thread.
    private enum Stop {
        case enter(Int32), leave(Int64), announce(Int), end(isKilled: Bool), execute
    }

    private struct Ended: Hashable {
        var descriptor: Int32
        var since: Int64
        var frames: Int?
        var end: String
    }

    private static func call(_ descriptor: Int32, at time: Int64, _ frames: [StackFrame]) -> ThreadTable.Call {
        ThreadTable.Call(
            name: .connect, subject: .nothing, descriptor: descriptor, inode: nil, since: Instant.zero + .seconds(time),
            frames: frames)
    }

    private static func ended(_ call: ThreadTable.Call, _ end: String) -> Ended {
        Ended(
            descriptor: call.descriptor, since: (call.since - .zero).components.seconds,
            frames: call.frames.first?.line,
            end: end)
    }

    /// The table's results for the calls of all threads, in order.
    private static func tabled(_ stops: [(thread: Int32, stop: Stop)]) -> [Int32: [Ended]] {
        var table = ThreadTable()
        var found: [Int32: [Ended]] = [:]
        for thread in Set(stops.map(\.thread)) { table.add(thread, of: thread) }
        func note(_ thread: Int32, _ cuts: [ThreadTable.Cut]) {
            for cut in cuts {
                found[thread, default: []].append(ended(cut.call, cut.isInterrupted ? "EINTR" : "unfinished"))
            }
        }
        for (time, (thread, stop)) in stops.enumerated() {
            switch stop {
            case .announce(let line): table.announce([StackFrame(line: line)], to: thread)
            case .enter(let descriptor):
                let frames = table.takeFrames(of: thread)
                note(
                    thread,
                    [table.enter(call(descriptor, at: Int64(time), frames), by: thread).ended].compactMap(\.self))
            case .leave(let value):
                if case .recorded(let call) = table.leave(thread, returning: value) {
                    found[thread, default: []].append(ended(call, "\(value)"))
                }
            case .end(let isKilled):
                note(thread, table.leaveUnfinished(thread, isKilled: isKilled))
                table.remove(thread)
                // Its number goes to another thread.
                table.add(thread, of: thread)
            case .execute:
                note(thread, table.leaveUnfinished(thread, isKilled: true))
                table.add(thread, of: thread)
            }
        }
        for thread in table.numbers { note(thread, table.leaveUnfinished(thread, isKilled: true)) }
        return found
    }

    /// The same of one thread by its whole history: of each entry, what came after it decides.
    private static func twin(_ stops: [(time: Int, stop: Stop)]) -> [Ended] {
        var found: [(at: Int, Ended)] = []
        var restarted: [Int: (since: Int64, frames: Int?)] = [:]
        for (index, (time, stop)) in stops.enumerated() {
            guard case .enter(let descriptor) = stop else { continue }
            var since = restarted[index]?.since ?? Int64(time)
            // Announcements since the entry before, or the thread's beginning; the last counts.
            var frames: Int?
            for (_, earlier) in stops[..<index].reversed() {
                if case .announce(let line) = earlier {
                    frames = line
                    break
                }
                switch earlier {
                case .enter, .end, .execute: break
                case .leave, .announce: continue
                }
                break
            }
            if frames == nil { frames = restarted[index]?.frames }
            since = min(since, Int64(time))
            var end: (at: Int, text: String)?
            var wasCut = false
            search: for later in stops.indices[(index + 1)...] {
                switch stops[later].stop {
                case .announce: continue
                case .leave(let value):
                    if wasCut { continue }
                    if ThreadTable.restarts.contains(value) { wasCut = true } else { end = (later, "\(value)") }
                    if end != nil { break search }
                case .enter(let other):
                    if wasCut {
                        if other == descriptor { restarted[later] = (since, frames) } else { end = (later, "EINTR") }
                        if other == descriptor { end = (later, "") }
                    } else {
                        // No thread enters a call while it is in one: see `random`.
                        end = (later, "")
                    }
                    break search
                case .end(let isKilled):
                    end = (later, wasCut && !isKilled ? "EINTR" : "unfinished")
                    break search
                case .execute:
                    end = (later, "unfinished")
                    break search
                }
            }
            let (at, text) = end ?? (stops.count, "unfinished")
            if !text.isEmpty {
                found.append((at, Ended(descriptor: descriptor, since: since, frames: frames, end: text)))
            }
        }
        return found.sorted { $0.at < $1.at }.map(\.1)
    }

    /// Stops as the kernel makes them: a thread that is in a call enters no other.
    private static func random(_ generator: inout SplitMix64) -> [(thread: Int32, stop: Stop)] {
        var inCall: Set<Int32> = []
        return (0..<Int.random(in: 1...60, using: &generator)).map { number in
            let thread = Int32.random(in: 1...3, using: &generator)
            let isIn = inCall.contains(thread)
            let stop: Stop =
                switch Int.random(in: 0..<12, using: &generator) {
                case 0: .end(isKilled: Bool.random(using: &generator))
                case 1: .execute
                case 2...4 where !isIn: .announce(number)
                case 2...6 where isIn: .leave([-514, -512, -4, 0, -111][Int.random(in: 0..<5, using: &generator)])
                default: isIn ? .leave(7) : .enter(Int32.random(in: 3...4, using: &generator))
                }
            switch stop {
            case .enter: inCall.insert(thread)
            case .leave, .end, .execute: inCall.remove(thread)
            case .announce: break
            }
            return (thread, stop)
        }
    }

    @Test(arguments: 0..<16) func `end each call that was entered in one way, as its history says`(_ seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        for _ in 0..<500 {
            let stops = Self.random(&generator)
            let tabled = Self.tabled(stops)
            for thread in Set(stops.map(\.thread)) {
                let own = stops.enumerated().filter { $0.element.thread == thread }.map {
                    (time: $0.offset, stop: $0.element.stop)
                }
                let expected = Self.twin(own)
                guard tabled[thread] ?? [] == expected else {
                    Issue.record("\(tabled[thread] ?? []) for \(expected), of \(own)")
                    return
                }
            }
        }
    }

    @Test(arguments: 0..<8) func `know which program each process runs, as its history says`(_ seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        for _ in 0..<500 {
            var table = ProcessTable()
            // The twin: of each process what happened to it, the newest last.
            var history: [Int32: [(program: Int, isOwn: Bool)]] = [:]
            for program in 0..<Int.random(in: 1...40, using: &generator) {
                let process = Int32.random(in: 1...4, using: &generator)
                switch Int.random(in: 0..<6, using: &generator) {
                case 0:
                    table.end(process)
                    history[process] = nil
                case 1, 2:
                    table.fork(process, from: program)
                    if history[process, default: []].isEmpty { history[process] = [(program, false)] }
                case 3:
                    table.run(process, program, isOwn: false)
                    history[process, default: []].append((program, false))
                default:
                    table.run(process, program)
                    history[process, default: []].append((program, true))
                }
                for process: Int32 in 1...4 {
                    let last = history[process]?.last
                    #expect(table.program(of: process) == last?.program)
                    #expect(table.ownProgram(of: process) == (last?.isOwn == true ? last?.program : nil))
                }
            }
        }
    }

    @Test func `keep connections by their sockets, each until it is asked for, and not more than a bound`() {
        var connections = PendingConnections()
        #expect(connections.isEmpty)
        for socket: UInt64 in 0..<5000 { connections.begin(socket, at: Int(socket), since: .zero) }
        #expect(connections.contains(4095) && !connections.contains(4096))
        #expect(connections.end(7)?.place == 7)
        #expect(connections.end(7) == nil)
        // The inode comes again, for another socket.
        connections.begin(7, at: 9, since: .zero)
        #expect(connections.end(7)?.place == 9)
    }

    @Test func `keep stacks to a bound, those of what is repeated apart`() {
        var budget = StackBudget()
        var kept = (new: 0, repeated: 0)
        for number in 0..<1000 {
            let isRepeated = number.isMultiple(of: 2)
            guard budget.hasRoom(isRepeated: isRepeated) else { continue }
            budget.keep(isRepeated: isRepeated)
            if isRepeated { kept.repeated += 1 } else { kept.new += 1 }
        }
        #expect(kept == (256, 64))
        let subjects = (0..<100).map { TracedCall.Subject.file("\($0)") }
        let taken = subjects.map { subject in (0..<20).filter { _ in budget.takesAtBeginning(subject) }.count }
        #expect(taken == Array(repeating: 8, count: 64) + Array(repeating: 0, count: 36))
    }
}
