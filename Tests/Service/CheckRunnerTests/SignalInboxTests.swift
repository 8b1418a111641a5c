// SPDX-License-Identifier: Apache-2.0
import Evidence
import Glibc
import LinuxNet
import Testing
import Wire

@testable import CheckRunner

@Suite struct `Signals that come while a client runs` {
    private let start = Instant(nanoseconds: 1_000_000_000)
    private let failure = ExitOutcome.exited(status: 1)

    private func sent(_ number: Int32) -> SignalArrival { SignalArrival(number: number, isTyped: false) }
    private func typed(_ number: Int32) -> SignalArrival { SignalArrival(number: number, isTyped: true) }

    @Test func `are passed on, but for those that a terminal sends to the client itself`() {
        var inbox = SignalInbox()
        inbox.add(sent(SIGTERM), at: start)
        inbox.add(typed(SIGINT), at: start)
        inbox.add(sent(SIGINT), at: start)
        #expect(inbox.takeForwarded() == [SIGTERM, SIGINT])
        #expect(inbox.takeForwarded().isEmpty)
    }

    @Test(arguments: [SIGTERM, SIGHUP])
    func `cancel the run, whatever the client makes of SIGTERM and SIGHUP`(_ number: Int32) {
        for end in [failure, .exited(status: 0), .killed(signal: number)] {
            var inbox = SignalInbox()
            inbox.add(sent(number), at: start)
            #expect(inbox.graceEnd == start + SignalInbox.grace)
            #expect(inbox.settle(end) == number)
        }
    }

    @Test func `cancel the run where the client does not succeed after SIGINT`() {
        var inbox = SignalInbox()
        inbox.add(typed(SIGINT), at: start)
        #expect(inbox.graceEnd == nil, "an interactive client knows what it means")
        #expect(inbox.settle(failure) == SIGINT)

        inbox.add(sent(SIGINT), at: start)
        #expect(inbox.graceEnd == start + SignalInbox.grace, "who sends it to us means us")
        #expect(inbox.settle(.exited(status: 0)) == nil)
        #expect(inbox.settle(failure) == nil, "what came before is settled")
    }

    @Test func `need not have come to us where the client was killed by the terminal's`() {
        var inbox = SignalInbox()
        #expect(inbox.settle(.killed(signal: SIGINT)) == SIGINT)
        #expect(inbox.settle(.killed(signal: SIGTERM)) == nil)
    }

    @Test func `insist when they come twice, and not when one comes as an echo`() {
        var inbox = SignalInbox()
        inbox.add(sent(SIGTERM), at: start)
        inbox.add(sent(SIGTERM), at: start + .milliseconds(50))
        #expect(inbox.insisted == nil, "timeout signals its child, and then the group")
        inbox.add(sent(SIGTERM), at: start + .seconds(1))
        #expect(inbox.insisted == SIGTERM)
    }

    @Test func `do not insist where somebody types at the client now and then`() {
        var inbox = SignalInbox()
        for second in stride(from: 0, to: 40, by: 4) { inbox.add(typed(SIGINT), at: start + .seconds(second)) }
        #expect(inbox.insisted == nil)
        inbox.add(typed(SIGINT), at: start + .seconds(37))
        #expect(inbox.insisted == SIGINT)
    }

    @Test func `of the terminal are a shell's own affair`() {
        var inbox = SignalInbox(leavesTerminalToClient: true)
        for second in 0..<5 { inbox.add(typed(SIGINT), at: start + .seconds(second)) }
        #expect(inbox.isEmpty && inbox.insisted == nil)
        inbox.add(sent(SIGHUP), at: start)
        #expect(inbox.takeForwarded() == [SIGHUP])
    }

    @Test func `do not grow without bound`() {
        var inbox = SignalInbox()
        for number in 0..<10_000 { inbox.add(sent(SIGTERM), at: start + .nanoseconds(number)) }
        #expect(inbox.takeForwarded().count == 64)
    }
}
