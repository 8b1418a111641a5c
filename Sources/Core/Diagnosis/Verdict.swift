import Evidence

/// What is said of a client.
package enum Judgement: Hashable, Sendable {
    case passes
    /// It passes here and fails on dual-stack.
    case passesHereOnly
    /// It fails once and passes once, both here.
    case flaky
    /// It fails here and passes on dual-stack.
    case failsHere
    /// It fails here, and on dual-stack it went on until it was stopped.
    case failsHereRunsThere
    /// It fails here, and nothing can be said of dual-stack.
    case failsUncompared
    case failsEverywhere
    case timesOut

    init(_ runs: Runs) {
        switch runs.first.end {
        case .exited(status: 0):
            // A control run that was stopped may have been about to pass.
            let failsThere = runs.control.map { $0.end.isFailure } ?? false
            self = failsThere && runs.isComparable ? .passesHereOnly : .passes
        case _ where runs.isRecovered:
            self = .flaky
        case .timedOut:
            self = .timesOut
        case .exited, .killed:
            if runs.first.network == .dualStack {
                self = .failsEverywhere
            } else if runs.isComparable, let control = runs.control {
                self =
                    control.end.isSuccess ? .failsHere : control.end.isFailure ? .failsEverywhere : .failsHereRunsThere
            } else {
                self = .failsUncompared
            }
        }
    }
}

/// The judgement and its reasons.
package struct Verdict: Hashable, Sendable {
    package var judgement: Judgement
    package var findings: [Finding]
    /// What was met here and on dual-stack alike, a sentence each: no cause of a difference between the two.
    package var onBothNetworks: [String]

    /// - Parameter command: the client's argument vector.
    package init(_ runs: Runs, command: [String] = []) {
        judgement = Judgement(runs)
        guard judgement != .flaky else {
            // What went wrong the first time did not the second.
            (findings, onBothNetworks) = ([], [])
            return
        }
        let diagnosis = diagnose(
            Examination(
                run: runs.first, control: runs.isComparable ? runs.control : nil, plain: runs.withoutSynthesis,
                command: command))
        findings = diagnosis.findings
        onBothNetworks = diagnosis.onBothNetworks
    }

    /// Whether the client passes, and would not without literal synthesis.
    package var reliesOnSynthesis: Bool { findings.contains { $0.rule == .passesBySynthesis } }
}
