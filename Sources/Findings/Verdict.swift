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

    /// Judges a run, with the control run where there was one.
    public init(run: RunEvidence, control: RunEvidence?) {
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
        findings = judgement == .passes ? [] : diagnose(run: run, control: control)
    }
}
