// SPDX-License-Identifier: Apache-2.0
import DNSWire
package import Evidence

/// The runs of one client that a check consists of.
package struct Runs: Hashable, Sendable {
    /// The run on the requested network.
    package var first: RunEvidence
    /// The second run on that network, if the first failed; or a traced one that explains what a passing one did by IPv4.
    package var again: RunEvidence?
    /// The control run, on dual-stack.
    package var control: RunEvidence?
    /// The run on nat64, if the client fails on IPv4 and on dual-stack.
    package var translated: RunEvidence?
    /// A run on the first network after the control run, if the failure has no known cause, or if a pass differed from the control run in
    /// its time, its requests or its words.
    package var later: RunEvidence?
    /// A run on the first network with Apple's getaddrinfo in place of the machine's own.
    package var withSynthesis: RunEvidence?
    /// A run on the first network with the machine's own getaddrinfo in place of the requested one.
    package var withoutSynthesis: RunEvidence?
    /// The untraced control run that ended like the traced one. The traced one counts, as it shows more.
    package private(set) var untracedControl: RunEvidence?
    /// Traced runs that ended differently from untraced ones: they explain, and decide nothing.
    package private(set) var setAside: [RunEvidence] = []
    /// The number of times that a failure was confirmed.
    package var confirmed: Int
    /// Whether every run had the same standard input; otherwise the further runs prove nothing.
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

    /// All runs, in the order of the reports.
    package var all: [RunEvidence] { roles.map(\.run) }

    /// All runs with their roles.
    package var roles: [(role: String, run: RunEvidence)] {
        let parts: [(RunPlan.Step, RunEvidence?)] = [
            (.first, first), (.again, again), (.control, control), (.translated, translated), (.later, later),
            (.withSynthesis, withSynthesis), (.withoutSynthesis, withoutSynthesis),
        ]
        return parts.compactMap { step, run in run.map { (step.rawValue, $0) } }
            + (untracedControl.map { [("untraced", $0)] } ?? []) + setAside.map { ("traced", $0) }
    }

    /// The role of a new run among the earlier ones.
    package enum Part {
        /// It has the role that it was made for.
        case own
        /// It explains, and another run takes its role.
        case setAside
        /// It is untraced and takes the role of the first run, which is set aside.
        case first
        /// It ends like the traced run that was set aside last, which gets the role back, as it shows more.
        case confirmsTraced
    }

    package func part(of run: RunEvidence, as step: RunPlan.Step) -> Part {
        switch step {
        case .again where first.isTraced && !run.isTraced && run.end != first.end: .first
        // A pass that fails under a tracer stays a pass.
        case .again where first.end.isSuccess && !run.end.isSuccess: .setAside
        // A failure that was seen twice is confirmed, however it ends. A pass under a tracer does not count yet.
        case .again where run.isTraced && !first.isTraced && run.end.isSuccess && !first.end.isSuccess: .setAside
        // Nor does a failure of a client that got through, as the tracer may be the cause.
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

    /// Whether a traced run ended differently from an untraced one, or was set aside until the untraced one ends.
    package var isChangedByTracing: Bool {
        !setAside.isEmpty || again.map { $0.isTraced != first.isTraced && $0.end != first.end } ?? false
    }

    /// Whether the second run is a traced one in which the kernel tells of IPv4 again, or the client again left out what it left out before, so
    /// that its trace explains the pass.
    package var explainsPass: Bool {
        guard first.end.isSuccess, !first.isTraced, let again, again.isTraced else { return false }
        return again.hasHiddenIPv4 || !again.omissions.isDisjoint(with: first.omissions)
    }

    /// Whether the client ends on the network as on dual-stack, by its last line or its place: it may do so for the same reason.
    package var endsAlike: Bool {
        guard first.end == control?.end else { return false }
        let words = [examined, again].compactMap { $0?.lastLines.last }.first
        return words != nil && words?.text == control?.lastLines.last?.text
            || examination().endsAsOnDualStack
    }

    /// - Parameter command: the client's argument vector.
    func examination(of command: [String] = []) -> Examination {
        Examination(
            run: examined, control: isComparable ? control : nil, withoutSynthesis: withoutSynthesis,
            again: explainsPass ? first : again, translated: translated, later: later, setAside: setAside,
            command: command)
    }

    /// The run by which the client is examined.
    var examined: RunEvidence { explainsPass ? again! : first }

    /// Whether the client failed, then passed. A pass in which nothing was sent shows nothing about the network.
    package var isRecovered: Bool {
        guard inputWasReplayed, !first.end.isSuccess, let again else { return false }
        return again.end.isSuccess && again.hasSentSomething
    }

    /// Whether the client failed, then passed without sending anything, perhaps because of something that it keeps between runs.
    package var passesFromMemory: Bool {
        !first.end.isSuccess && again.map { $0.end.isSuccess && !$0.hasSentSomething } ?? false
    }

    /// The hosts of the control run that the client did not go to when it passed afterwards; `nil` if it did not pass then.
    package var missedLater: [Observation.Host]? {
        guard let later, let control, inputWasReplayed, later.end.isSuccess else { return nil }
        // A client that only asks the DNS is compared by the names.
        if control.seen.flows.isEmpty {
            return control.askedNames.filter { !later.askedNames.contains($0) }.map(Observation.Host.name)
        }
        return Examination(run: later, control: control).hostsOfDualStackAlone.map(\.host)
    }

    /// Whether the client failed twice and passed in the end without help from the control run: it needed time.
    package var isRecoveredLater: Bool { later?.hasSentSomething == true && missedLater?.isEmpty == true }

    /// Whether the client fails here and works with Apple's getaddrinfo.
    package var worksBySynthesis: Bool { withSynthesis?.end.isSuccess == true }

    /// Whether the client is a tracer itself, failed when traced, and had no untraced run.
    package var isRivalOfTracing: Bool {
        first.end.isFailure && first.calls?.hasRivalTracer == true && again.map(\.isTraced) ?? true
    }

    /// Whether the simulator hindered the control run, which failed.
    var controlIsHindered: Bool { control.map { !$0.end.isSuccess && $0.isHindered } ?? false }

    /// Whether the control run can be compared with the first run.
    package var isComparable: Bool {
        guard inputWasReplayed, let control else { return false }
        if !control.end.isSuccess, control.calls?.hasRivalTracer == true { return false }
        // The second run passed here, too, and neither pass involved the network: a cache, or a lock that is gone.
        if passesFromMemory, !control.hasSentSomething { return false }
        return true
    }
}

extension RunEvidence {
    /// Whether its system calls were traced, or meant to be.
    package var isTraced: Bool { calls != nil }

    fileprivate var askedNames: [DomainName] { seen.questions.map(\.name).unique }
}
