// SPDX-License-Identifier: Apache-2.0
import Evidence

/// The judgement of a client.
package enum Judgement: Hashable, Sendable {
    case passes
    /// It passes here and fails on dual-stack.
    case passesHereOnly
    /// It fails and passes, both here.
    case flaky
    /// It fails here and passes on dual-stack.
    case failsHere
    /// It fails here. On dual-stack it ran until it was stopped.
    case failsHereRunsThere
    /// It fails here, and there is no comparable run on dual-stack.
    case failsUncompared
    case failsEverywhere
    case timesOut
    /// It failed when the simulator or our tracing was in its way, as no network would be. That proves nothing about the client.
    case notJudged

    init(_ runs: Runs) {
        let seen = Judgement(endsOf: runs)
        self =
            switch seen {
            // A pass is a pass, whatever was in its way.
            case .passes, .flaky: seen
            case .passesHereOnly: runs.controlIsHindered ? .passes : seen
            default:
                runs.first.isHindered || runs.controlIsHindered || runs.isRivalOfTracing ? .notJudged : seen
            }
    }

    /// The judgement by the ends of the runs alone.
    private init(endsOf runs: Runs) {
        switch runs.first.end {
        case .exited(status: 0):
            // A control run that was stopped may have been about to pass.
            let failsThere = runs.control.map { $0.end.isFailure } ?? false
            self = failsThere && runs.isComparable ? .passesHereOnly : .passes
        case _ where runs.isRecovered || runs.isRecoveredLater:
            self = .flaky
        case .timedOut:
            self = .timesOut
        case .exited, .killed:
            if runs.first.network == .dualStack {
                self = .failsEverywhere
            } else if runs.isComparable, let control = runs.control {
                // For IPv4 alone, dual-stack does not suit a program that knows IPv6 only: the hosts there have IPv4 addresses.
                let works = control.end.isSuccess || runs.translated?.end.isSuccess == true
                self = works ? .failsHere : control.end.isFailure ? .failsEverywhere : .failsHereRunsThere
            } else {
                self = .failsUncompared
            }
        }
    }
}

/// The judgement and its reasons.
package struct Verdict: Hashable, Sendable {
    package var judgement: Judgement
    package var findings: [Finding] = []
    /// Observations both here and on dual-stack: no cause of a difference between the two.
    package var onBothNetworks: [Observation] = []
    /// Facts about a failure that no finding explains; `nil` if one does.
    package var unexplained: Unexplained?
    /// Whether the client fails here and works with Apple's getaddrinfo. It is reported, and changes no verdict.
    package var worksBySynthesis = false

    /// - Parameter command: the client's argument vector.
    package init(_ runs: Runs, command: [String] = []) {
        judgement = Judgement(runs)
        // The second run did not show the problem of the first.
        if judgement == .flaky || judgement == .notJudged { return }
        let diagnosis = Diagnosis(
            runs.examination(of: command),
            rules: runs.first.canaries.isEmpty ? Catalogue.all : [.ledToPrivateAddress])
        findings = diagnosis.findings
        onBothNetworks = diagnosis.onBothNetworks
        // Its description is complete: the runs that could add to it were made.
        let isDescribed = findings.contains { [.endsAfterConnection, .reportsError].contains($0.rule) }
        unexplained = Unexplained(runs, judgement, isExplained: isExplained || isDescribed)
        worksBySynthesis = runs.worksBySynthesis
    }

    /// Whether a finding explains why the client fails, and not only how.
    var isExplained: Bool { findings.contains { $0.severity == .error && !$0.rule.isSymptom } }

    /// Whether the client passes only because of literal synthesis.
    package var reliesOnSynthesis: Bool {
        findings.contains { $0.rule == .passesBySynthesis || $0.rule == .passesByURLLoading }
    }
}

/// Facts about a failure on the network, with a pass on dual-stack, that no finding explains.
package enum Unexplained: Hashable, Sendable {
    /// - Parameter isTriedLater: whether the client failed once more after the control run.
    case noCause(isTriedLater: Bool)
    /// It passes after the control run without going to these hosts any more: a cache or the like.
    case helpedByControl(missing: [Observation.Host])
    /// It passed the second time, without sending anything.
    case fromMemory

    init?(_ runs: Runs, _ judgement: Judgement, isExplained: Bool) {
        switch judgement {
        case .failsHere, .failsUncompared: break
        default: return nil
        }
        if runs.passesFromMemory {
            self = .fromMemory
        } else if let missing = runs.missedLater {
            self = .helpedByControl(missing: missing)
        } else if judgement == .failsHere, !isExplained {
            self = .noCause(isTriedLater: runs.later != nil)
        } else {
            return nil
        }
    }
}
