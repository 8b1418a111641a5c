import Diagnosis
import Evidence
import Topology

/// Which runs of the client there are, one after the other: at most three, but for those that are asked for.
///
///     first ──► passes ──► (without synthesis, where asked for)
///       │
///       └─────► fails ──► again, on the same network ──► passes: flaky
///                                  │
///                                  └──► fails ──► control run, on dual-stack
///
/// The second run comes before the control run: that could fill a cache or leave a lock, and the client would then pass for
/// the wrong reason.
struct RunPlan {
    var network: Network
    var control: ControlPolicy
    /// Whether the client runs once, whatever comes of it.
    var isOnce = false
    /// Whether a client that passes is run again without literal synthesis, whatever it owes to that.
    var alsoLinux = false
    /// Whether everything is shown.
    var isVerbose = false

    /// A run that there is beside the first.
    enum Step: Equatable {
        case again
        case control
        case withoutSynthesis
    }

    /// - Parameter inputIsReplayed: whether the next run finds on standard input what the first one found.
    func next(after runs: Runs, inputIsReplayed: Bool) -> Step? {
        if isOnce { return nil }
        if needsRepeat(runs, inputIsReplayed) { return .again }
        if needsControl(runs) { return .control }
        if needsPlainRun(runs) { return .withoutSynthesis }
        return nil
    }

    private func needsRepeat(_ runs: Runs, _ inputIsReplayed: Bool) -> Bool {
        runs.again == nil && runs.control == nil && network != .dualStack && !runs.first.end.isSuccess
            && inputIsReplayed
    }

    private func needsControl(_ runs: Runs) -> Bool {
        guard runs.control == nil, network != .dualStack else { return false }
        return switch control {
        case .always: true
        case .onFailure: !runs.first.end.isSuccess && !runs.isRecovered
        case .never: false
        }
    }

    private func needsPlainRun(_ runs: Runs) -> Bool {
        guard runs.withoutSynthesis == nil, network.entry.hasNAT64, runs.first.end.isSuccess,
            runs.first.maySynthesise
        else { return false }
        return alsoLinux || isVerbose && !runs.first.usedSynthesis.isEmpty
    }
}
