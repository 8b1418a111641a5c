// SPDX-License-Identifier: Apache-2.0
import DNSWire
package import Evidence
package import Topology

/// The policy for the control run on dual-stack.
package enum ControlPolicy: String, Sendable, CaseIterable {
    case always
    case onFailure = "on-failure"
    case never
}

/// The sequence of the client's runs: at most four.
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
/// A client that passes runs again, traced, if a control run is requested, if the kernel tells of something by IPv4 that the network did
/// not see, or if the client may have left something out: it used no network, or not for a host that it looked up, or it looked at the
/// machine's addresses. The trace shows the lines. It has a control run if one is requested, or if it may have left something out and
/// nothing else is told of it: the control run shows whether it does more on dual-stack. If it was much slower than that, or said or sent
/// something else here, it runs once more, later, too.
///
/// The second run comes before the control run, as that could fill a cache or leave a lock, and the client would then pass for the wrong
/// reason. But then anything that improves with time would be blamed on the network, as dual-stack always comes last. So a failure without
/// a cause is tried once more.
package struct RunPlan: Sendable {
    /// The purpose of a run.
    package enum Step: String, Sendable {
        case first
        case again
        case control
        /// For a client that fails on IPv4 and on dual-stack: on nat64, where a client works that knows IPv6 only.
        case translated = "nat64"
        case later
        /// The client gives literals to the machine's own getaddrinfo; this run has Apple's.
        case withSynthesis = "with-synthesis"
        /// The client was given synthesised addresses; this run has the machine's own getaddrinfo.
        case withoutSynthesis = "without-synthesis"

        /// The getaddrinfo of such a run; `nil` for the requested one.
        package var getaddrinfo: GetaddrinfoProfile? {
            switch self {
            case .withSynthesis: .apple
            case .withoutSynthesis: .linux
            case .first, .again, .control, .translated, .later: nil
            }
        }

        /// The network of such a run.
        /// - Parameter chosen: the network on which the client is judged.
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
    /// The number of times that a failure must be confirmed before it counts. On dual-stack a failure needs no confirmation, unless
    /// requested.
    package var confirmations: Int
    /// Whether a pass may have a control run that was not requested. On a real network a program that works does so twice only on request.
    package var comparesPasses = true
    /// Whether a pass that did not use the network, or not for a host that it looked up, may have such runs. The tests of a suite name
    /// their networks, and say whether they need one.
    package var seeksWhatIsLeftOut = true
    /// Whether the client runs once, whatever the result.
    package var isOnce = false

    /// The networks with a NAT64 to IPv4.
    private static let translating = Set<Network>.translated.union([.nat64CLAT])
    /// Further runs would cost more time than they are worth.
    private static let maximum = 4

    package init(network: Network, control: ControlPolicy = .onFailure) {
        self.network = network
        self.control = control
        confirmations = network == .dualStack ? 0 : 1
    }

    /// - Parameter inputIsReplayed: whether the next run gets the same standard input as the first.
    package func next(after runs: Runs, inputIsReplayed: Bool = true) -> Step? {
        if isOnce { return nil }
        if needsRepeat(runs, inputIsReplayed) { return .again }
        if needsControl(runs, inputIsReplayed) { return .control }
        if needsTranslatedRun(runs, inputIsReplayed) { return .translated }
        if let step = synthesisStep(runs, inputIsReplayed) { return step }
        if needsLaterRun(runs, inputIsReplayed) { return .later }
        return nil
    }

    /// Whether the system calls of a run are traced. Tracing explains, but changes the behaviour of some clients: sanitizers, debuggers,
    /// and any program that handles its own crash. So no run is traced after one that tracing changed, nor after a client that is a tracer
    /// itself, and one of two runs on the same network is always untraced.
    package func traces(_ step: Step, after runs: Runs) -> Bool {
        if runs.isChangedByTracing || runs.all.contains(where: { $0.calls?.hasRivalTracer == true }) { return false }
        return switch step {
        case .first: trace == .always
        case .again: trace == .onFailure
        case .control: trace == .always || trace == .onFailure && !runs.first.end.isSuccess
        case .later: trace == .always && runs.first.end.isSuccess
        case .translated, .withSynthesis, .withoutSynthesis: false
        }
    }

    private func needsRepeat(_ runs: Runs, _ inputIsReplayed: Bool) -> Bool {
        guard inputIsReplayed, runs.control == nil else { return false }
        if runs.first.end.isSuccess { return explainsPass(runs) || comparesWords(runs) }
        return runs.confirmed < confirmations && !runs.isRecovered
    }

    /// Whether a trace is to explain what a client that passes did by IPv4, or why it sent nothing.
    package func explainsPass(_ runs: Runs) -> Bool {
        trace == .onFailure && mayLookAgain(at: runs)
            && (runs.first.hasHiddenIPv4
                || seeksWhatIsLeftOut && control != .never && runs.first.isWorthTracing)
    }

    /// Whether a second run is to show what a client that passes prints, to be compared with the control run that was requested. The first
    /// run's output is the user's.
    private func comparesWords(_ runs: Runs) -> Bool {
        control == .always && mayLookAgain(at: runs)
    }

    /// Whether a pass may have a second run that was not requested, and had none.
    private func mayLookAgain(at runs: Runs) -> Bool {
        comparesPasses && runs.again == nil && runs.setAside.isEmpty && runs.first.mayBeRepeated
    }

    /// Whether a control run is to show what an IPv4 attempt was for: the client then went to the same host from another line, or nowhere, or
    /// its literal was refused before it made one.
    package func comparesAttempts(_ runs: Runs) -> Bool {
        guard comparesPasses, control != .never, runs.control == nil, runs.setAside.isEmpty, runs.first.end.isSuccess,
            runs.first.mayBeRepeated
        else { return false }
        let examination = Examination(run: runs.examined)
        return examination.hasSeparateAttempts || examination.goesNowhereAfterAttempt
            || examination.run.lookups.contains(where: \.isRefusedLiteral)
            || examination.readsNameServersAlone
    }

    /// A sign that the client may have left something out, which no further run examined as the first one took too long, or as its
    /// standard input is gone.
    package func openQuestion(after runs: Runs, inputIsReplayed: Bool = true) -> String? {
        guard !isOnce, control == .onFailure, comparesPasses, seeksWhatIsLeftOut, runs.first.end.isSuccess,
            runs.again == nil, runs.control == nil, runs.first.timeline.isEmpty, Set<Network>.ipv6Only.contains(network)
        else { return nil }
        let (duration, signs) = (runs.first.duration, runs.first.omissions)
        let host = runs.first.hostLeftOut.map { String("\($0)".dropLast()) } ?? "a host"
        let reading = "It read an IPv6 address as an IPv4 one, or had no room for its text,"
        if !inputIsReplayed, !signs.isDisjoint(with: [.host, .addresses, .reading]) {
            let sign =
                signs.contains(.host)
                ? "It looked up \(host)" : signs.contains(.reading) ? reading : "It looked at the machine's addresses"
            return
                "\(sign) and may have left something out. Its standard input came through a pipe, which cannot be read twice: give it as a "
                + "file, so that another run can look into that."
        }
        if signs.contains(.host), duration >= RunEvidence.worthAnother {
            return
                "It looked up \(host) and may have left something out there: --control always compares a run that takes so long."
        }
        if signs.contains(.reading), duration >= RunEvidence.worthAnother {
            return "\(reading) and may have left something out: --control always compares a run that takes so long."
        }
        if signs.contains(.addresses), duration >= RunEvidence.worthTracing {
            return
                "It looked at the machine's addresses: --trace always --control always examines a run that takes so long."
        }
        return nil
    }

    /// Whether a control run is to show what the client left out, which nothing else tells of.
    private func comparesOmissions(_ runs: Runs) -> Bool {
        // A client that failed here in its second run does so for another reason, such as a file that the first one made.
        comparesPasses && runs.setAside.isEmpty && runs.examined.mayLeaveSomethingOut
            && (runs.examined.missesIPv4Interface
                || Verdict(runs).findings.allSatisfy { $0.severity == .note || $0.rule == .sendsNothing })
    }

    private func needsControl(_ runs: Runs, _ inputIsReplayed: Bool) -> Bool {
        guard runs.control == nil, network != .dualStack else { return false }
        return switch control {
        case .always: true
        case .onFailure:
            runs.first.end.isSuccess
                ? inputIsReplayed && (comparesAttempts(runs) || comparesOmissions(runs))
                : !runs.isRecovered
        case .never: false
        }
    }

    private func needsTranslatedRun(_ runs: Runs, _ inputIsReplayed: Bool) -> Bool {
        network == .ipv4Only && inputIsReplayed && runs.translated == nil && runs.all.count < Self.maximum
            && runs.first.end.isFailure && !runs.isRecovered && runs.control?.end.isFailure == true
    }

    /// The run that shows whether literal synthesis would help a failing client, or harms it.
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

    /// Whether a later run is needed. Never for a client that reached its time limit, as it would only be waited for once more.
    private func needsLaterRun(_ runs: Runs, _ inputIsReplayed: Bool) -> Bool {
        guard inputIsReplayed, runs.later == nil, runs.all.count < Self.maximum, let control = runs.control,
            control.end.isSuccess, runs.isComparable
        else { return false }
        if runs.first.end.isSuccess {
            // Chance makes differences as well: one more run decides.
            return runs.first.isMuchSlower(than: control)
                || Verdict(runs).findings.contains {
                    [.reportsError, .asksForLess, .readsIPv6AsIPv4, .cutsAddress].contains($0.rule)
                }
        }
        return runs.first.end.isFailure && runs.again?.end.isFailure == true && !Verdict(runs).isExplained
    }
}

extension RunEvidence {
    /// Whether the client looked up a host and sent nothing to it, asked for an IPv4 address of the machine, or read an IPv6 address as an
    /// IPv4 one, in a run that is short enough for another one. Programs that only look names up, or list addresses, are right to do so.
    fileprivate var mayLeaveSomethingOut: Bool {
        guard mayBeRepeated else { return false }
        return mayGiveUpWithoutIPv4 || !omissions.isDisjoint(with: [.host, .reading])
    }

    /// Whether a trace is worth its time although the kernel tells of nothing. Most such clients are right in what they do: they take so
    /// little time that a second run is hardly noticed.
    fileprivate var isWorthTracing: Bool { duration < Self.worthTracing && !omissions.isEmpty }

    fileprivate static let worthTracing = Duration.seconds(5)

    /// A sign, without a trace, that the client may have left something out.
    enum Omission {
        /// It used no network.
        case network
        /// It looked a host up and did not go there.
        case host
        /// It looked at the machine's addresses.
        case addresses
        /// It read an IPv6 address with a function for IPv4 alone, or had no room for the text of one.
        case reading
    }

    var omissions: Set<Omission> {
        var signs: Set<Omission> = []
        if isSilent == true { signs.insert(.network) }
        if leavesHostOut { signs.insert(.host) }
        if listsAddresses { signs.insert(.addresses) }
        if !misreadings.isEmpty || lookups.contains(where: { $0.call == .inetNtop }) { signs.insert(.reading) }
        return signs
    }

    /// A host that it looked up and did not go to.
    fileprivate var hostLeftOut: DomainName? {
        let reached = ReachedHosts(seen)
        return seen.questions.first { $0.leadsToHost && !reached.contains($0.addresses) }?.name
    }

    private var leavesHostOut: Bool {
        hostLeftOut != nil
            || !Examination(run: self).missedHosts.isEmpty
            // Many healthy programs do so: only where it costs little.
            || duration < .seconds(2) && lookups.contains(where: isForMoreThanItReached)
    }

    /// Whether a look-up names a port at which the client did not go to the host, or whether the client looked a host up more often than it
    /// went there.
    private func isForMoreThanItReached(_ lookup: Lookup) -> Bool {
        guard lookup.call == .getaddrinfo, !lookup.answers.isEmpty,
            let name = lookup.node.flatMap({ try? DomainName($0) }),
            seen.questions.contains(where: { $0.name == name && $0.leadsToHost })
        else { return false }
        let flows = flows(to: lookup.answers)
        if let port = lookup.port { return !flows.contains { $0.port == port } }
        let count = lookups.filter { $0.node == lookup.node }.reduce(0) { $0 + $1.count }
        return count > flows.reduce(0) { $0 + max($1.accepted, 1) }
    }

    /// Whether a pass may have a run that was not requested: on a network without IPv4, and short enough.
    fileprivate var mayBeRepeated: Bool {
        duration < Self.worthAnother && timeline.isEmpty && Set<Network>.ipv6Only.contains(network) && !isProbed
            && canaries.isEmpty
    }

    fileprivate static let worthAnother = Duration.seconds(10)
}
