import EvidenceSupport
import Diagnosis
import Evidence
import Testing

@testable import CheckRunner

@Suite struct `The runs of a check` {
    private let pass = ClientEnd.exited(status: 0)
    private let failure = ClientEnd.exited(status: 7)
    private let sent = [
        RepeatedQuery("shop.test")
    ]

    private func plan(_ control: ControlPolicy = .onFailure, on network: Network = .nat64) -> RunPlan {
        RunPlan(network: network, control: control)
    }

    private func run(
        _ end: ClientEnd, on network: Network = .nat64, profile: GetaddrinfoProfile = .linux, silent: Bool = false
    ) -> RunEvidence {
        RunEvidence(
            network: network, end: end, duration: .zero, questions: silent ? [] : sent, profile: profile)
    }

    @Test func `are one where the client passes`() {
        #expect(plan().next(after: Runs(first: run(pass)), inputIsReplayed: true) == nil)
    }

    @Test(arguments: [ClientEnd.exited(status: 7), .killed(signal: 11), .timedOut(after: .seconds(1))])
    func `go on with the same once more where it fails, and only then with the control run`(_ end: ClientEnd) {
        var runs = Runs(first: run(end))
        #expect(plan().next(after: runs, inputIsReplayed: true) == .again)
        runs.again = run(failure)
        #expect(plan().next(after: runs, inputIsReplayed: true) == .control)
        runs.control = run(pass, on: .dualStack)
        #expect(plan().next(after: runs, inputIsReplayed: true) == nil)
    }

    @Test func `end where it passes the second time`() {
        let runs = Runs(first: run(failure), again: run(pass))
        #expect(plan().next(after: runs, inputIsReplayed: true) == nil)
        #expect(plan(.always).next(after: runs, inputIsReplayed: true) == .control)
    }

    @Test func `do not end with a pass in which nothing was sent`() {
        let runs = Runs(first: run(failure), again: run(pass, silent: true))
        #expect(plan().next(after: runs, inputIsReplayed: true) == .control)
    }

    @Test func `are not repeated where the input cannot be`() {
        #expect(plan().next(after: Runs(first: run(failure)), inputIsReplayed: false) == .control)
        #expect(plan(.never).next(after: Runs(first: run(failure)), inputIsReplayed: false) == nil)
    }

    @Test func `never are more than one where that was asked for`() {
        var plan = plan()
        plan.isOnce = true
        #expect(plan.next(after: Runs(first: run(failure)), inputIsReplayed: true) == nil)
    }

    @Test func `are one on dual-stack, which nothing is compared with`() {
        let runs = Runs(first: run(failure, on: .dualStack))
        #expect(plan(.always, on: .dualStack).next(after: runs, inputIsReplayed: true) == nil)
    }

    @Test func `show what a plain Linux host does, where that is asked for`() {
        var plan = plan()
        plan.alsoLinux = true
        var runs = Runs(first: run(pass, profile: .apple))
        #expect(plan.next(after: runs, inputIsReplayed: true) == .withoutSynthesis)
        runs.withoutSynthesis = run(failure)
        #expect(plan.next(after: runs, inputIsReplayed: true) == nil)
        #expect(plan.next(after: Runs(first: run(pass)), inputIsReplayed: true) == nil, "it had no synthesis at all")
        runs = Runs(first: run(pass))
        runs.first.urlLoading = .apple
        #expect(plan.next(after: runs, inputIsReplayed: true) == .withoutSynthesis)
    }
}
