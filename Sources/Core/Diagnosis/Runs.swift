package import Evidence

/// The runs of one client that a check consists of.
package struct Runs: Hashable, Sendable {
    /// On the network that was asked for.
    package var first: RunEvidence
    /// The same once more, where the first failed.
    package var again: RunEvidence?
    /// On dual-stack.
    package var control: RunEvidence?
    /// On the first network, with the machine's own getaddrinfo.
    package var withoutSynthesis: RunEvidence?
    /// Whether every run found the same on standard input; otherwise nothing is concluded from the further ones.
    package var inputWasReplayed: Bool

    package init(
        first: RunEvidence, again: RunEvidence? = nil, control: RunEvidence? = nil,
        withoutSynthesis: RunEvidence? = nil, inputWasReplayed: Bool = true
    ) {
        self.first = first
        self.again = again
        self.control = control
        self.withoutSynthesis = withoutSynthesis
        self.inputWasReplayed = inputWasReplayed
    }

    /// Every run that there was, in the order in which reports show them.
    package var all: [RunEvidence] { [first, again, control, withoutSynthesis].compactMap(\.self) }

    /// Whether the client failed, and passed the second time. A pass in which nothing was sent says nothing about the network.
    package var isRecovered: Bool {
        guard inputWasReplayed, !first.end.isSuccess, let again else { return false }
        return again.end.isSuccess && again.hasSentSomething
    }

    /// Whether the control run failed where the simulator stood in its way.
    var controlIsHindered: Bool { control.map { !$0.end.isSuccess && $0.isHindered } ?? false }

    /// Whether a run that compares the first with another failed where the client is a tracer itself and was traced.
    package var isDisturbedByTracing: Bool {
        [again, control].contains { run in run.map { !$0.end.isSuccess && $0.calls?.hasRivalTracer == true } ?? false }
    }

    /// Whether the control run may be held against the first run.
    package var isComparable: Bool {
        guard inputWasReplayed, let control else { return false }
        if !control.end.isSuccess, control.calls?.hasRivalTracer == true { return false }
        // It passed here, too, and neither pass had anything to do with the network: a cache, or a lock that is gone.
        if let again, again.end.isSuccess, !control.hasSentSomething { return false }
        return true
    }
}
