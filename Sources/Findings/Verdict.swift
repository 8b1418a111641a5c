/// What is said of a client.
public enum Judgement: Hashable, Sendable {
    case passes
    /// It fails here and passes on dual-stack.
    case failsHere
    /// It fails here, and nobody looked at dual-stack.
    case failsUncompared
    case failsEverywhere
    case timesOut

    public var exitCode: ExitCode {
        switch self {
        case .passes: .pass
        case .failsHere, .failsUncompared: .failsOnThisNetwork
        case .failsEverywhere: .failsOnDualStackToo
        case .timesOut: .timeout
        }
    }
}

/// The judgement and its reasons.
public struct Verdict: Hashable, Sendable {
    public var judgement: Judgement
    public var findings: [Finding]
    /// What was met here and on dual-stack alike, a sentence each: no cause of a difference between the two.
    public var onBothNetworks: [String]

    /// Judges a run.
    /// - Parameters:
    ///   - control: the run on dual-stack, where there was one.
    ///   - plain: the run without literal synthesis, likewise.
    ///   - command: the client's argument vector.
    public init(run: RunEvidence, control: RunEvidence?, plain: RunEvidence? = nil, command: [String] = []) {
        judgement =
            switch run.end {
            case .exited(status: 0): .passes
            case .timedOut: .timesOut
            case .exited, .killed:
                if run.network == .dualStack {
                    .failsEverywhere
                } else if let control {
                    control.end.isSuccess ? .failsHere : .failsEverywhere
                } else {
                    .failsUncompared
                }
            }
        let diagnosis = diagnose(Examination(run: run, control: control, plain: plain, command: command))
        findings = diagnosis.findings
        onBothNetworks = diagnosis.onBothNetworks
    }

    /// Whether the client passes, and would not without literal synthesis.
    public var reliesOnSynthesis: Bool { findings.contains { $0.rule == .passesBySynthesis } }
}
