// SPDX-License-Identifier: Apache-2.0
import Diagnosis
import Evidence
import EvidenceSupport
import TestResults
import Testing
import Topology
import Wire

@testable import Suites

/// Every row of the table of outcomes.
@Suite struct CaseJudgementTests {
    private func outcome(
        _ attempts: CaseAttempts, known: [KnownFailure] = [], baseline: Baseline? = nil, network: Network = .nat64
    ) -> CaseOutcome {
        CaseJudgement(Sample.test(known, network: network), attempts, baseline: baseline, today: Sample.today).outcome
    }

    private func known(
        _ rule: String = "V6C-001", _ target: String? = "198.51.100.10", until: String? = "2027-03-31"
    ) -> KnownFailure {
        KnownFailure(rule: rule, target: target, reason: "the vendor's", until: until.flatMap { Day($0) })
    }

    private func baseline(_ target: String) throws -> Baseline { try Baseline("V6C-001 fetch shop \(target)\n") }

    @Test func `as expected is a pass`() {
        #expect(outcome(CaseAttempts(first: Sample.attempt())) == .pass)
    }

    @Test func `a pass with something by IPv4 that was not seen is explained by a traced run`() {
        var hiding = Sample.attempt()
        hiding.evidence.counters = NamespaceCounters()
        hiding.evidence.unconnected = UnconnectedSockets(bound: 1)
        var attempts = CaseAttempts(first: hiding)
        #expect(attempts.next == .again && attempts.traces(.again))
        hiding.evidence.calls = CallEvidence()
        attempts.add(hiding, as: .again)
        #expect(attempts.next == nil && attempts.runs.explainsPass && outcome(attempts) == .pass)
        hiding.evidence.calls = nil
        #expect(CaseAttempts(first: hiding, explainsPasses: false).next == nil)
        #expect(CaseAttempts(first: hiding, slowness: 2).next == .control, "a traced run is slower")
    }

    @Test func `fails here, confirmed, and works on dual-stack`() {
        #expect(outcome(Sample.literal()) == .fail)
    }

    @Test func `fails here, and on dual-stack it runs until it is stopped`() {
        var attempts = Sample.literal()
        attempts.control = Sample.attempt(.dualStack, .timedOut(after: .seconds(1)))
        #expect(outcome(attempts) == .fail)
    }

    @Test func `fails on dual-stack too`() {
        var attempts = Sample.literal()
        attempts.control = Sample.attempt(.dualStack, .exited(status: 7))
        #expect(outcome(attempts) == .broken)
    }

    @Test func `fails on dual-stack, which is its network`() {
        let run = Sample.attempt(.dualStack, .exited(status: 7))
        #expect(outcome(CaseAttempts(first: run, again: run), network: .dualStack) == .broken)
    }

    @Test func `what is to fail here passes by that, and is red where it works`() throws {
        func judged(_ attempts: CaseAttempts, on network: Network = .nat64) -> CaseJudgement {
            var test = Sample.test(network: network)
            test.fails = [ExpectedFailure(on: [NetworkSchedule(.nat64)], reason: "there is nobody")]
            return CaseJudgement(test, attempts, baseline: nil, today: Sample.today)
        }
        let failing = judged(Sample.literal())
        #expect(failing.outcome == .pass && failing.expectedFailure?.reason == "there is nobody")
        #expect(!failing.met.isEmpty && failing.dependencies.isEmpty, "it is nothing that a baseline accepts")
        #expect(judged(CaseAttempts(first: Sample.attempt())).outcome == .fail)
        var late = CaseAttempts(first: Sample.attempt(.nat64, .timedOut(after: .seconds(1))))
        late.control = Sample.attempt(.dualStack)
        #expect(judged(late).outcome == .pass)
        var broken = Sample.literal()
        broken.control = Sample.attempt(.dualStack, .exited(status: 7))
        #expect(judged(broken).outcome == .broken)
        #expect(
            judged(CaseAttempts(first: Sample.attempt(.nat64, .exited(status: 7)), again: Sample.attempt())).outcome
                == .flaky)
        let elsewhere = CaseAttempts(first: Sample.attempt(.strict))
        #expect(judged(elsewhere, on: .strict).outcome == .pass)
    }

    @Test func `fails, and passes the second time`() {
        let attempts = CaseAttempts(first: Sample.attempt(.nat64, .exited(status: 7)), again: Sample.attempt())
        #expect(outcome(attempts) == .flaky)
    }

    @Test func `where the simulator had no room nothing is concluded of the client`() {
        var attempts = Sample.literal()
        attempts.first.evidence.seen.refusals = [
            WorldRefusal(.connectionRefused, .tcp, .ipv4(Sample.server), port: 80)
        ]
        let judgement = CaseJudgement(Sample.test(), attempts, baseline: nil, today: Sample.today)
        #expect(judgement.outcome == .error)
        #expect(judgement.dependencies.isEmpty, "nothing for the baseline either")
    }

    @Test func `a second run that sends nothing is no recovery`() {
        let attempts = CaseAttempts(
            first: Sample.attempt(.nat64, .exited(status: 7)), again: Sample.attempt(sends: false),
            control: Sample.attempt(.dualStack))
        #expect(outcome(attempts) == .fail)
    }

    @Test func `times out here alone`() {
        let late = Sample.attempt(.nat64, .timedOut(after: .seconds(1)))
        #expect(outcome(CaseAttempts(first: late, again: late, control: Sample.attempt(.dualStack))) == .timeout)
    }

    @Test func `times out on dual-stack too`() {
        let late = Sample.attempt(.nat64, .timedOut(after: .seconds(1)))
        let control = Sample.attempt(.dualStack, .timedOut(after: .seconds(1)))
        #expect(outcome(CaseAttempts(first: late, again: late, control: control)) == .broken)
    }

    @Test func `fails by a known rule at a known target`() {
        #expect(outcome(Sample.literal(), known: [known()]) == .known)
        #expect(outcome(Sample.literal(), known: [known("V6C-001", "198.51.100.10 tcp/443")]) == .known)
        #expect(outcome(Sample.literal(), known: [known("V6C-001", nil)]) == .known)
    }

    @Test(arguments: [("V6C-002", "198.51.100.10"), ("V6C-001", "203.0.113.5"), ("V6C-001", "198.51.100.10 tcp/80")])
    func `fails by another rule or at another target`(_ rule: String, _ target: String) {
        #expect(outcome(Sample.literal(), known: [known(rule, target)]) == .fail)
    }

    @Test func `one known failure does not cover another`() {
        #expect(outcome(Sample.literal([Sample.server, Sample.other]), known: [known()]) == .fail)
    }

    @Test func `a known failure that does not occur`() {
        #expect(outcome(CaseAttempts(first: Sample.attempt()), known: [known()]) == .fixed)
        #expect(outcome(Sample.literal(), known: [known(), known("V6C-002", nil)]) == .fixed)
    }

    @Test func `a known failure is not expected on dual-stack`() {
        let run = CaseAttempts(first: Sample.attempt(.dualStack))
        #expect(outcome(run, known: [known()], network: .dualStack) == .pass)
    }

    @Test func `neither an error nor a flaky run shows that a known failure is fixed`() {
        let flaky = CaseAttempts(first: Sample.attempt(.nat64, .exited(status: 7)), again: Sample.attempt())
        #expect(outcome(flaky, known: [known()]) == .flaky)
    }

    @Test(
        arguments: [("2026-11-21", CaseOutcome.expired), ("2026-11-22", .known), (nil, .known)]
            as [(String?, CaseOutcome)])
    func `a known failure has its time`(_ until: String?, _ expected: CaseOutcome) {
        #expect(outcome(Sample.literal(), known: [known(until: until)]) == expected)
    }

    @Test(arguments: [("2026-12-06", true), ("2026-12-07", false), ("2026-11-22", true)])
    func `the end of its time is announced two weeks before`(_ until: String, _ isSaid: Bool) {
        let judgement = CaseJudgement(
            Sample.test([known(until: until)]), Sample.literal(), baseline: nil, today: Sample.today)
        #expect(judgement.expiring.isEmpty == !isSaid)
    }

    @Test func `a known failure is one of the networks that it names, or of all but dual-stack`() throws {
        let schedule = try NetworkSchedule("dual-stack 1s, nat64")
        var failure = known()
        #expect(failure.applies(on: schedule) && failure.applies(on: .nat64) && !failure.applies(on: .dualStack))
        failure.networks = [.nat64]
        #expect(!failure.applies(on: schedule))
        func outcome(_ networks: [NetworkSchedule]) -> CaseOutcome {
            failure.networks = networks
            let element = SuiteCase(test: Sample.test([failure]), network: schedule)
            return CaseJudgement(element, Sample.literal(), baseline: nil, today: Sample.today).outcome
        }
        #expect(outcome([schedule]) == .known)
        #expect(outcome([.nat64]) == .fail)
    }

    @Test func `fails by what the baseline has alone`() throws {
        #expect(outcome(Sample.literal(), baseline: try baseline("198.51.100.10 tcp/443")) == .known)
        #expect(outcome(Sample.literal(), baseline: try baseline("203.0.113.5 tcp/443")) == .fail)
    }

    @Test func `processes that outlive it`() {
        let left = SurvivingProcesses(processes: [SurvivingProcesses.Process(process: 7, name: "sleep")])
        #expect(outcome(CaseAttempts(first: Sample.attempt(survivors: left))) == .leak)
    }

    // MARK: - A pass that proves nothing

    private func silent() -> CaseAttempts {
        var attempt = Sample.attempt(sends: false)
        attempt.evidence.counters = NamespaceCounters()
        return CaseAttempts(first: attempt)
    }

    @Test func `a case that sends nothing is red, unless its test needs no network`() {
        var test = Sample.test()
        let red = CaseJudgement(test, silent(), baseline: nil, today: Sample.today)
        #expect(red.outcome == .fail && red.isUnproven)
        // No baseline accepts it.
        #expect(red.dependencies.isEmpty)
        #expect(outcome(silent(), baseline: Baseline()) == .fail)
        test.isOffline = true
        let green = CaseJudgement(test, silent(), baseline: nil, today: Sample.today)
        #expect(green.outcome == .pass && !green.isUnproven && green.verdict.findings.isEmpty)
        test.failOn = .warning
        #expect(CaseJudgement(test, silent(), baseline: nil, today: Sample.today).outcome == .pass)
    }

    @Test func `tests of listeners, of programs with servers and of test runners may send nothing`() {
        let server = SuiteServer(name: "api", place: .client, command: .words(["./api"]), ready: [])
        var served = Sample.test()
        served.servers = [server]
        var listener = Sample.test()
        listener.subject = server
        var runner = Sample.test()
        runner.report = InnerReport(.tap, file: nil)
        for test in [served, listener, runner] {
            #expect(CaseJudgement(test, silent(), baseline: nil, today: Sample.today).outcome == .pass)
        }
    }

    // MARK: - A finding of a client that works

    private static let synthesised = IPv6Address("64:ff9b::c633:640a")!

    private func synthesised() -> CaseAttempts {
        var run = RunEvidence(
            network: .nat64, end: .exited(status: 0), duration: .milliseconds(10),
            flows: [Flow(.tcp, .ipv6(Self.synthesised), 80, .translated(Sample.server), attempts: 1, accepted: 1)],
            profile: .apple,
            lookups: [
                Lookup(
                    call: .getaddrinfo, node: "198.51.100.10", answers: [.ipv6(Self.synthesised)],
                    outcome: .literal, program: "shop")
            ])
        run.seen.questions = []
        return CaseAttempts(first: Attempt(run, output: ClientOutput(), expectations: Expectations()))
    }

    @Test func `a warning is red only where the test says so, or with a baseline`() {
        #expect(outcome(synthesised()) == .pass)
        #expect(outcome(synthesised(), baseline: Baseline()) == .newDependency)
        var strict = Sample.test()
        strict.failOn = .warning
        let judgement = CaseJudgement(strict, synthesised(), baseline: nil, today: Sample.today)
        #expect(judgement.outcome == .fail)
        var accepted = Baseline()
        accepted.add(judgement.dependencies)
        #expect(outcome(synthesised(), baseline: accepted) == .pass)
    }
}
