// SPDX-License-Identifier: Apache-2.0
import DNSWire
package import Evidence

/// The runs of one client that a check consists of.
package struct Runs: Hashable, Sendable {
    /// On the network that was asked for.
    package var first: RunEvidence
    /// The same once more, where the first failed.
    package var again: RunEvidence?
    /// On dual-stack.
    package var control: RunEvidence?
    /// On nat64, where the client fails on IPv4 and on dual-stack.
    package var translated: RunEvidence?
    /// On the first network, after the control run, where the failure has no known cause, or a pass took much longer than it.
    package var later: RunEvidence?
    /// On the first network, with Apple's getaddrinfo in place of the machine's own.
    package var withSynthesis: RunEvidence?
    /// On the first network, with the machine's own getaddrinfo in place of the one that was asked for.
    package var withoutSynthesis: RunEvidence?
    /// The untraced control run that ended as the traced one, which tells more.
    package private(set) var untracedControl: RunEvidence?
    /// Traced runs that ended otherwise than untraced ones: they explain, and decide nothing.
    package private(set) var setAside: [RunEvidence] = []
    /// How often a failure was seen again.
    package var confirmed: Int
    /// Whether every run found the same on standard input; otherwise nothing is concluded from the further ones.
    package var inputWasReplayed: Bool

    package init(
        first: RunEvidence, again: RunEvidence? = nil, control: RunEvidence? = nil, translated: RunEvidence? = nil,
        later: RunEvidence? = nil,
        withSynthesis: RunEvidence? = nil, withoutSynthesis: RunEvidence? = nil, inputWasReplayed: Bool = true
    ) {
        self.first = first
        self.again = again
        self.control = control
        self.translated = translated
        self.later = later
        self.withSynthesis = withSynthesis
        self.withoutSynthesis = withoutSynthesis
        self.inputWasReplayed = inputWasReplayed
        confirmed = again == nil ? 0 : 1
    }

    /// Every run that there was, in the order in which reports show them.
    package var all: [RunEvidence] { roles.map(\.run) }

    /// Every run with what it was for.
    package var roles: [(role: String, run: RunEvidence)] {
        let parts: [(RunPlan.Step, RunEvidence?)] = [
            (.first, first), (.again, again), (.control, control), (.translated, translated), (.later, later),
            (.withSynthesis, withSynthesis), (.withoutSynthesis, withoutSynthesis),
        ]
        return parts.compactMap { step, run in run.map { (step.rawValue, $0) } }
            + (untracedControl.map { [("untraced", $0)] } ?? []) + setAside.map { ("traced", $0) }
    }

    /// What becomes of a run beside those that there were.
    package enum Part {
        /// It has the part that it was made for.
        case own
        /// It explains, and another takes its part.
        case setAside
        /// It is the untraced one, and takes the part of the first, which is set aside.
        case first
        /// It ends as the traced one that was set aside last, which takes the part after all: it tells more.
        case confirmsTraced
    }

    package func part(of run: RunEvidence, as step: RunPlan.Step) -> Part {
        switch step {
        case .again where first.isTraced && !run.isTraced && run.end != first.end: .first
        // A failure that was seen twice is confirmed, however it ends; a pass under a tracer is none yet.
        case .again where run.isTraced && !first.isTraced && run.end.isSuccess: .setAside
        // Nor is a failure of a client that got through: it may be the tracer's doing.
        case .control where run.isTraced && run.end.isFailure && (run.end != first.end || run.isAnswered): .setAside
        case .control
        where !run.isTraced && setAside.last.map { $0.network == run.network && $0.end == run.end } == true:
            .confirmsTraced
        default: .own
        }
    }

    package mutating func add(_ run: RunEvidence, as step: RunPlan.Step) {
        switch (part(of: run, as: step), step) {
        case (.setAside, _): setAside.append(run)
        case (.first, _):
            setAside.append(first)
            first = run
        case (.confirmsTraced, _):
            control = setAside.removeLast()
            untracedControl = run
        case (.own, .first): first = run
        case (.own, .again):
            again = run
            confirmed += 1
        case (.own, .control): control = run
        case (.own, .translated): translated = run
        case (.own, .later): later = run
        case (.own, .withSynthesis): withSynthesis = run
        case (.own, .withoutSynthesis): withoutSynthesis = run
        }
    }

    package mutating func setAside(_ runs: [RunEvidence]) { setAside += runs }

    /// Whether a traced run ended otherwise than one that was left alone, or than one that is still to come.
    package var isChangedByTracing: Bool {
        !setAside.isEmpty || again.map { $0.isTraced != first.isTraced && $0.end != first.end } ?? false
    }

    /// Whether the client failed, and passed the second time. A pass in which nothing was sent says nothing about the network.
    package var isRecovered: Bool {
        guard inputWasReplayed, !first.end.isSuccess, let again else { return false }
        return again.end.isSuccess && again.hasSentSomething
    }

    /// Whether the client passed the second time without sending anything: something that it keeps from run to run may be why.
    package var passesFromMemory: Bool { again.map { $0.end.isSuccess && !$0.hasSentSomething } ?? false }

    /// The hosts to which the control run went, and the client did not when it passed after that; `nil` if it did not pass then.
    package var missedLater: [Observation.Host]? {
        guard let later, let control, inputWasReplayed, later.end.isSuccess else { return nil }
        // A client that only asks the DNS is known by the names.
        if control.seen.flows.isEmpty {
            return control.askedNames.filter { !later.askedNames.contains($0) }.map(Observation.Host.name)
        }
        return Examination(run: later, control: control).hostsOfDualStackAlone.map(\.host)
    }

    /// Whether the client failed twice, and passed in the end without having been helped by the control run: it needed time.
    package var isRecoveredLater: Bool { later?.hasSentSomething == true && missedLater?.isEmpty == true }

    /// Whether the client fails here, and works with Apple's getaddrinfo.
    package var worksBySynthesis: Bool { withSynthesis?.end.isSuccess == true }

    /// Whether the client is a tracer itself, failed where it was traced, and was not left alone in another run.
    package var isRivalOfTracing: Bool {
        first.end.isFailure && first.calls?.hasRivalTracer == true && again.map(\.isTraced) ?? true
    }

    /// Whether the control run failed where the simulator stood in its way.
    var controlIsHindered: Bool { control.map { !$0.end.isSuccess && $0.isHindered } ?? false }

    /// Whether the control run may be held against the first run.
    package var isComparable: Bool {
        guard inputWasReplayed, let control else { return false }
        if !control.end.isSuccess, control.calls?.hasRivalTracer == true { return false }
        // It passed here, too, and neither pass had anything to do with the network: a cache, or a lock that is gone.
        if passesFromMemory, !control.hasSentSomething { return false }
        return true
    }
}

extension RunEvidence {
    /// Whether its system calls were followed, or were to be.
    package var isTraced: Bool { calls != nil }

    fileprivate var askedNames: [DomainName] { seen.questions.map(\.name).unique }
}
