// SPDX-License-Identifier: Apache-2.0
package import Diagnosis
package import Evidence
package import TestResults

/// One run of a case's client.
package struct Attempt: Sendable {
    package var evidence: RunEvidence
    package var output: ClientOutput
    /// The test's expectations that the run does not meet.
    package var broken: [BrokenExpectation]

    /// The probes whose connections a server closed at once: it turns these clients away if it does not do that to all.
    private var closed: [BrokenExpectation] = []

    /// The client's own tests; `nil` if it is no test runner.
    package var inner: InnerResults?

    /// - Parameters:
    ///   - inner: the contents of the report that the test names.
    ///   - server: the evidence of a server under test.
    ///   - isControl: whether it is the control run.
    package init(
        _ evidence: RunEvidence, output: ClientOutput, expectations: Expectations,
        inner: (report: InnerReport, results: InnerResults)? = nil, server: ServerEvidence? = nil,
        isControl: Bool = false
    ) {
        self.evidence = evidence
        self.output = output
        broken = expectations.broken(by: evidence, output, isControl: isControl)
        if let server {
            // For a server that is given URLs, its own answers are irrelevant.
            broken +=
                evidence.canaries.isEmpty
                ? expectations.broken(by: server, isControl: isControl) : server.failure.map { [.server($0)] } ?? []
            closed = server.probes.filter { $0.result == .closed }.map { .probe($0, listeners: server.listeners) }
            if server.probes.contains(where: { $0.result == .connected }) { takeClosed() }
        }
        takeCanaries()
        guard let (report, results) = inner else { return }
        self.inner = results
        if let problem = results.problem { broken.insert(.report(report.name, problem: problem), at: 0) }
        if results.failed == 0 { return }
        // The runner's exit status adds nothing to its tests.
        if case .exited = evidence.end { broken.removeAll { if case .end = $0 { true } else { false } } }
        broken.append(.innerTests(failed: results.failed, of: results.tests.count))
    }

    /// For a server that was given many URLs, each URL is a test of its own.
    private mutating func takeCanaries() {
        let isKnown = !broken.contains { broken in
            switch broken {
            case .server, .report: true
            default: false
            }
        }
        guard evidence.canaries.count > 1, isKnown else { return }
        let hits = Dictionary(grouping: evidence.canaryContacts.filter(\.isHit), by: \.trial)
        let missed = Set(evidence.missedPublicHosts)
        let results = InnerResults(
            tests: evidence.canaries.map { trial in
                let message =
                    hits[trial]?.first?.sentence ?? (missed.contains(trial) ? "it does not reach \(trial.url)" : nil)
                return InnerTest(
                    name: String(trial.path.dropFirst()), message == nil ? .passed : .failed, message: message ?? "")
            })
        inner = results
        if results.failed > 0 { broken = [.innerTests(failed: results.failed, of: results.tests.count)] }
    }

    package var isAsExpected: Bool { broken.isEmpty }

    /// Whether a control run is to show what the closing of connections means.
    var hasClosed: Bool { !closed.isEmpty }

    /// Counts the connections that were closed as failures.
    mutating func takeClosed() {
        broken += closed
        closed = []
        for index in evidence.peerAnswers.indices where evidence.peerAnswers[index].kind == .closed {
            evidence.peerAnswers[index].isAsExpected = false
        }
    }

    /// Whether the unmet expectations are all about IPv6, and IPv4 has shown that the client works.
    var failsForIPv6Alone: Bool {
        !broken.isEmpty
            && broken.allSatisfy { broken in
                switch broken {
                case .probe(let answer, _): answer.origin == .ipv6
                case .listens(let family, _): family == .ipv6
                case .ipv4Attempts: true
                case .server:
                    evidence.peerAnswers.refused(isIPv6: true) != nil
                        && evidence.peerAnswers.served(isIPv6: false) != nil
                default: false
                }
            }
    }

    /// Whether it meets all expectations except inner tests.
    var failsByInnerTestsAlone: Bool {
        !broken.isEmpty && broken.allSatisfy { if case .innerTests = $0 { true } else { false } }
    }

    /// The evidence with an end that shows whether the run met expectations: rules use the end to distinguish clients that work from those
    /// that do not.
    func judged(as isAsExpected: Bool? = nil) -> RunEvidence {
        var evidence = evidence
        if isAsExpected ?? self.isAsExpected {
            evidence.end = .exited(status: 0)
        } else if evidence.end.isSuccess {
            evidence.end = .exited(status: 1)
        }
        return evidence
    }
}

/// The runs of a case, as `RunPlan` orders them for a single client; a run that meets expectations counts as a pass.
package struct CaseAttempts: Sendable {
    package typealias Step = RunPlan.Step

    package var first: Attempt
    /// The latest of the runs that confirm the first.
    package var again: Attempt?
    package var control: Attempt?
    /// On nat64, if the client fails on IPv4 and on dual-stack.
    private var translated: Attempt?
    /// On the first network, after the control run, if no cause is known.
    package var later: Attempt?
    /// The untraced control run with the same end as the traced one.
    private var untracedControl: Attempt?
    /// On the first network, with another getaddrinfo than the test's: Apple's, or the machine's own.
    private var withSynthesis: Attempt?
    private var withoutSynthesis: Attempt?
    /// Traced runs whose end differed from the untraced ones'.
    private var setAside: [Attempt] = []
    private let plan: RunPlan
    /// How often the failure was confirmed.
    private var confirmed: Int
    /// Total time of the confirming runs that are not kept.
    package private(set) var dropped = Duration.zero

    /// Maximum factor of the time on dual-stack; `nil` if it is not checked.
    private let slowness: Double?
    /// Shorter differences occur between any two runs.
    private static let leastSlowness = Duration.milliseconds(100)

    /// - Parameters:
    ///   - confirmations: how often a failure must be confirmed.
    ///   - explainsPasses: whether a pass may have a run that was not requested (`RunPlan.comparesPasses`).
    package init(
        first: Attempt, again: Attempt? = nil, control: Attempt? = nil, later: Attempt? = nil, confirmations: Int = 1,
        trace: TracePolicy = .onFailure, slowness: Double? = nil, explainsPasses: Bool = true
    ) {
        self.slowness = slowness
        self.first = first
        self.again = again
        self.control = control
        self.later = later
        var plan = RunPlan(network: first.evidence.network)
        plan.confirmations = confirmations
        plan.trace = trace
        plan.comparesPasses = explainsPasses
        plan.seeksWhatIsLeftOut = false
        self.plan = plan
        confirmed = again == nil ? 0 : 1
    }

    package var all: [(role: String, attempt: Attempt)] {
        let parts: [(Step, Attempt?)] = [
            (.first, first), (.again, again), (.control, control), (.translated, translated), (.later, later),
            (.withSynthesis, withSynthesis), (.withoutSynthesis, withoutSynthesis),
        ]
        return parts.compactMap { step, attempt in attempt.map { (step.rawValue, $0) } }
            + (untracedControl.map { [("untraced", $0)] } ?? []) + setAside.map { ("traced", $0) }
    }

    /// The next run; `nil` if the case can be judged.
    package var next: Step? {
        if !first.evidence.canaries.isEmpty { return explainsCanary }
        if isSlowTwice { return nil }
        guard first.isAsExpected else { return explainsServer ? .again : plan.next(after: runs) }
        if explainsPass { return .again }
        if first.hasClosed, control == nil, first.evidence.network != .dualStack { return .control }
        if first.evidence.end.isSuccess, plan.comparesAttempts(runs) { return .control }
        guard slowness != nil, first.evidence.network != .dualStack else { return nil }
        if control == nil { return .control }
        return again == nil && isSlow(first) ? .again : nil
    }

    /// A private address that was reached needs no second proof and no other network. One more run shows the line.
    private var explainsCanary: Step? {
        !first.isAsExpected && mayHaveExplainingRun ? .again : nil
    }

    /// Whether one more run shows the line at which a server listens on IPv4 alone: on dual-stack no failure is confirmed.
    private var explainsServer: Bool {
        first.evidence.network == .dualStack && first.evidence.isProbed && first.failsForIPv6Alone
            && mayHaveExplainingRun
    }

    private var mayHaveExplainingRun: Bool { again == nil && setAside.isEmpty && plan.trace == .onFailure }

    /// Whether one more run explains a pass. A case that is compared by its time has none: such a run is slower.
    private var explainsPass: Bool {
        first.isAsExpected && slowness == nil && first.evidence.end.isSuccess && plan.explainsPass(runs)
    }

    /// Whether the system calls of the next run are traced. A run that confirms slowness must not be slowed down.
    package func traces(_ step: Step) -> Bool {
        (!first.isAsExpected || explainsPass) && plan.traces(step, after: runs)
    }

    /// Whether the runs on the case's own network met all expectations except inner tests.
    var failsByInnerTestsAlone: Bool { first.failsByInnerTestsAlone && again?.failsByInnerTestsAlone ?? true }

    /// Whether the runs were compared already, and found to be too slow.
    private var isSlowTwice: Bool {
        if case .slower = first.broken.first { true } else { false }
    }

    /// Whether it takes longer than the test allows, compared with a control run that works.
    private func isSlow(_ attempt: Attempt) -> Bool {
        guard let slowness, let control, control.isAsExpected else { return false }
        let (here, there) = (attempt.evidence.duration, control.evidence.duration)
        return here > there * slowness && here - there > Self.leastSlowness
    }

    /// A case that is slow twice does not meet expectations.
    private mutating func compare() {
        guard let slowness, let control, let again, first.isAsExpected, again.isAsExpected, isSlow(first), isSlow(again)
        else { return }
        first.broken = [.slower(first.evidence.duration, than: control.evidence.duration, limit: slowness)]
        self.again?.broken = first.broken
    }

    /// Connections that were closed here alone are failures.
    private mutating func compareClosed() {
        guard let control, control.isAsExpected, !control.hasClosed else { return }
        first.takeClosed()
        again?.takeClosed()
    }

    package mutating func add(_ attempt: Attempt, as step: Step) {
        defer {
            compare()
            compareClosed()
        }
        switch (runs.part(of: attempt.judged(), as: step), step) {
        case (.setAside, _): setAside.append(attempt)
        case (.first, _):
            setAside.append(first)
            first = attempt
        case (.confirmsTraced, _):
            untracedControl = attempt
            control = setAside.removeLast()
        case (.own, .first): first = attempt
        case (.own, .again):
            dropped += again?.evidence.duration ?? .zero
            again = attempt
            confirmed += 1
        case (.own, .control): control = attempt
        case (.own, .translated): translated = attempt
        case (.own, .later): later = attempt
        case (.own, .withSynthesis): withSynthesis = attempt
        case (.own, .withoutSynthesis): withoutSynthesis = attempt
        }
    }

    /// The runs as in a check of one client, with ends that show whether the expectations were met.
    package var runs: Runs {
        // A test runner with a test that fails everywhere still works on dual-stack, if others fail only here.
        let works = control.map {
            $0.isAsExpected || $0.failsByInnerTestsAlone && inner.contains { $0.outcome == .fail }
        }
        return runs(
            Runs(
                first: first.judged(), again: again?.judged(), control: control?.judged(as: works),
                translated: translated?.judged(), later: later?.judged(), withSynthesis: withSynthesis?.judged(),
                withoutSynthesis: withoutSynthesis?.judged()), setAside.map { $0.judged() })
    }

    /// The runs with their real ends.
    package var runsAsSeen: Runs {
        runs(
            Runs(
                first: first.evidence, again: again?.evidence, control: control?.evidence,
                translated: translated?.evidence, later: later?.evidence,
                withSynthesis: withSynthesis?.evidence, withoutSynthesis: withoutSynthesis?.evidence),
            setAside.map(\.evidence))
    }

    private func runs(_ deciding: Runs, _ setAside: [RunEvidence]) -> Runs {
        var runs = deciding
        runs.setAside(setAside)
        runs.confirmed = confirmed
        return runs.withSharedLines
    }
}
