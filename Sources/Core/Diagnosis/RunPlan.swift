// SPDX-License-Identifier: Apache-2.0
package import Evidence
package import Topology

/// When the same client is run on dual-stack too.
package enum ControlPolicy: String, Sendable, CaseIterable {
    case always
    case onFailure = "on-failure"
    case never
}

/// Which runs of the client there are, one after the other: at most four.
///
///     first ──► passes
///       │
///       └─────► fails ──► again, on the same network ──► passes: flaky
///                                  │
///                                  └──► fails ──► control run, on dual-stack ──► fails: broken
///                                                        │
///                                                        ├──► passes, and literals are looked up ──► with the other getaddrinfo
///                                                        │
///                                                        └──► passes, and no cause is known ──► later, on the first network
///
/// A client that passes has a control run where one is asked for. If it was much slower than that, it runs once more, later, too.
///
/// The second run comes before the control run: that could fill a cache or leave a lock, and the client would then pass for
/// the wrong reason. But then whatever gets better with time would be blamed on the network, as dual-stack always comes last. So a
/// failure without a cause is tried once more.
package struct RunPlan: Sendable {
    /// What a run is for.
    package enum Step: String, Sendable {
        case first
        case again
        case control
        /// Of a client that fails on IPv4 and on dual-stack: on nat64, where one works that knows IPv6 only.
        case translated = "nat64"
        case later
        /// The client gives literals to the machine's own getaddrinfo: here it finds Apple's.
        case withSynthesis = "with-synthesis"
        /// The client was given synthesised addresses: here it finds the machine's own.
        case withoutSynthesis = "without-synthesis"

        /// Whose getaddrinfo the client finds in such a run; `nil` is the one that was asked for.
        package var getaddrinfo: GetaddrinfoProfile? {
            switch self {
            case .withSynthesis: .apple
            case .withoutSynthesis: .linux
            case .first, .again, .control, .translated, .later: nil
            }
        }

        /// Where the client is in such a run.
        /// - Parameter chosen: where it is judged.
        package func schedule(of chosen: NetworkSchedule) -> NetworkSchedule {
            switch self {
            case .control: chosen.control
            case .translated: .nat64
            case .first, .again, .later, .withSynthesis, .withoutSynthesis: chosen
            }
        }
    }

    package var network: Network
    package var control: ControlPolicy
    package var trace = TracePolicy.onFailure
    /// How often a failure is to be seen again before it counts. On dual-stack nothing is concluded from it, unless that is asked for.
    package var confirmations: Int
    /// Whether the client runs once, whatever comes of it.
    package var isOnce = false

    /// The networks from which a NAT64 leads to IPv4.
    private static let translating = Set<Network>.translated.union([.nat64CLAT])
    /// More runs would cost more than they tell.
    private static let maximum = 4

    package init(network: Network, control: ControlPolicy = .onFailure) {
        self.network = network
        self.control = control
        confirmations = network == .dualStack ? 0 : 1
    }

    /// - Parameter inputIsReplayed: whether the next run finds on standard input what the first one found.
    package func next(after runs: Runs, inputIsReplayed: Bool = true) -> Step? {
        if isOnce { return nil }
        if needsRepeat(runs, inputIsReplayed) { return .again }
        if needsControl(runs) { return .control }
        if needsTranslatedRun(runs, inputIsReplayed) { return .translated }
        if let step = synthesisStep(runs, inputIsReplayed) { return step }
        if needsLaterRun(runs, inputIsReplayed) { return .later }
        return nil
    }

    /// Whether the system calls of a run are traced. Tracing explains, and changes what some clients do: sanitizers, debuggers, and whatever
    /// handles its own crash. So no run is traced after one that ended otherwise than untraced, nor after a client that is a tracer itself, and
    /// one of two runs on the same network is always left alone.
    package func traces(_ step: Step, after runs: Runs) -> Bool {
        if runs.isChangedByTracing || runs.all.contains(where: { $0.calls?.hasRivalTracer == true }) { return false }
        return switch step {
        case .first: trace == .always
        case .again: trace == .onFailure && !runs.first.end.isSuccess
        case .control: trace == .always || trace == .onFailure && !runs.first.end.isSuccess
        case .later: trace == .always && runs.first.end.isSuccess
        case .translated, .withSynthesis, .withoutSynthesis: false
        }
    }

    private func needsRepeat(_ runs: Runs, _ inputIsReplayed: Bool) -> Bool {
        runs.confirmed < confirmations && runs.control == nil && !runs.first.end.isSuccess && !runs.isRecovered
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

    private func needsTranslatedRun(_ runs: Runs, _ inputIsReplayed: Bool) -> Bool {
        network == .ipv4Only && inputIsReplayed && runs.translated == nil && runs.all.count < Self.maximum
            && runs.first.end.isFailure && !runs.isRecovered && runs.control?.end.isFailure == true
    }

    /// Which run shows what literal synthesis does for a client that fails, or to it.
    private func synthesisStep(_ runs: Runs, _ inputIsReplayed: Bool) -> Step? {
        guard inputIsReplayed, runs.withSynthesis == nil, runs.withoutSynthesis == nil, runs.all.count < Self.maximum,
            Self.translating.contains(network), runs.first.end.isFailure, !runs.isRecovered,
            runs.control.map(\.end.isSuccess) ?? true
        else { return nil }
        let lookups = runs.first.lookups + (runs.again?.lookups ?? [])
        if runs.first.maySynthesise {
            return lookups.contains { !$0.synthesised.isEmpty } ? .withoutSynthesis : nil
        }
        return lookups.contains(where: \.isLeftToProfile) ? .withSynthesis : nil
    }

    /// A client that was ended by its time limit would only be waited for once more.
    private func needsLaterRun(_ runs: Runs, _ inputIsReplayed: Bool) -> Bool {
        guard inputIsReplayed, runs.later == nil, runs.all.count < Self.maximum, let control = runs.control,
            control.end.isSuccess, runs.isComparable
        else { return false }
        if runs.first.end.isSuccess { return runs.first.isMuchSlower(than: control) }
        return runs.first.end.isFailure && runs.again?.end.isFailure == true && !Verdict(runs).isExplained
    }
}
