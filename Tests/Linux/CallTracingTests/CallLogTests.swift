// SPDX-License-Identifier: Apache-2.0
import Evidence
import Testing
import Wire

@testable import CallTracing

@Suite struct `The log of calls` {
    private func connection(_ outcome: TracedCall.Outcome, port: UInt16 = 80) -> TracedCall {
        TracedCall(.connect, .address(.ip(.ipv4(IPv4Address(192, 0, 2, 1)), port: port), length: 16, on: nil), outcome)
    }

    @Test func `has what was done again once, and takes one stack of it`() {
        var log = CallLog()
        for number in 0..<3 {
            let option = TracedCall(.setsockopt, .option(level: 41, option: 26, on: nil), .succeeded(number))
            #expect(log.isNew(option) == (number == 0))
            log.add(option, stack: number)
        }
        #expect(log.calls.map(\.count) == [3] && log.stacks == [0])
    }

    @Test func `keeps the first connections to an address apart, as they may be from different places`() {
        var log = CallLog()
        for number in 0..<20 {
            #expect(log.isRepeated(connection(.succeeded(number))) == (number > 0))
            #expect(log.isNew(connection(.succeeded(number))) == (number < 8))
            log.add(connection(.succeeded(number)), stack: number)
        }
        #expect(log.calls.map(\.count) == [1, 1, 1, 1, 1, 1, 1, 13])
        #expect(log.stacks == [0, 1, 2, 3, 4, 5, 6, 7])
    }

    @Test func `tells them apart by the lines that an interpreter told`() {
        var log = CallLog()
        for line in [3, 3, 7, 3] {
            var call = connection(.failed(.networkUnreachable))
            call.frames = [StackFrame(function: "go", file: "/app/a.py", line: line)]
            log.add(call)
        }
        #expect(log.calls.map(\.count) == [3, 1])
        #expect(log.calls.compactMap { $0.frames.own?.line } == [3, 7])
    }

    @Test func `leaves room for calls of other kinds`() {
        var log = CallLog()
        for port in 1...UInt16(CallLog.limit / 2) { log.add(connection(.pending, port: port)) }
        for _ in 0..<8 { log.add(connection(.pending, port: 1)) }
        #expect(log.calls.count == CallLog.limit / 2 && log.calls[0].count == 9 && log.lost == 0)
    }

    @Test func `keeps the first questions to the kernel apart, as the C library asks some of them`() {
        var log = CallLog()
        for number in 0..<20 {
            let question = TracedCall(.sendto, .netlink(type: 22, family: 0), .succeeded(20))
            #expect(log.isNew(question) == (number < 8))
            log.add(question, stack: number)
        }
        #expect(log.calls.map(\.count) == [1, 1, 1, 1, 1, 1, 1, 13])
        #expect(log.stacks == [0, 1, 2, 3, 4, 5, 6, 7])
        // From one place they are one; from another they are not.
        var evidence = CallEvidence()
        evidence.calls = log.calls
        evidence.calls[3].frames = [StackFrame(function: "getifaddrs")]
        evidence.joinCalls()
        #expect(evidence.calls.map(\.count) == [19, 1])
    }

    @Test func `tells a pending connection's end when the program has asked for it`() {
        var log = CallLog()
        let first = log.add(connection(.pending), stack: 7)!
        log.end(first, as: .failed(.connectionRefused), after: .seconds(1))
        #expect(log.entries.map(\.call.outcome) == [.failed(.connectionRefused)])
        #expect(log.entries.map(\.stack) == [7])
    }

    @Test func `keeps apart how several ended that began alike`() {
        var log = CallLog()
        let places = (0..<3).map { _ in log.add(connection(.pending))! }
        log.end(places[0], as: .succeeded(0), after: .zero)
        log.end(places[1], as: .failed(.timedOut), after: .zero)
        #expect(Set(log.entries.map(\.call.outcome)) == [.pending, .succeeded(0), .failed(.timedOut)])
        log.end(places[2], as: .succeeded(0), after: .zero)
        var evidence = CallEvidence()
        evidence.calls = log.entries.map(\.call)
        evidence.joinCalls()
        #expect(evidence.calls.count == 2)
        #expect(evidence.calls.first { $0.outcome == .succeeded(0) }?.count == 2)
        #expect(evidence.calls.reduce(0) { $0 + $1.count } == 3)
    }

    @Test func `takes frames that come after the call, if there are none`() {
        var log = CallLog()
        let frames = [StackFrame(function: "ask", file: "a.py", line: 3)]
        let place = log.add(connection(.succeeded(0)), stack: 7)!
        log.tell(place, frames)
        log.tell(place, [StackFrame(file: "b.py", line: 1)])
        #expect(log.calls[place].frames == frames && log.stacks == [nil])
    }

    @Test func `is bounded, and counts what it has no room for`() {
        var log = CallLog()
        for number in 0..<(CallLog.limit + 10) {
            log.add(TracedCall(.openat, .file("\(number)"), .unknown))
        }
        #expect(log.calls.count == CallLog.limit && log.lost == 10)
    }
}
