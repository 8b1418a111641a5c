// SPDX-License-Identifier: Apache-2.0
import Evidence

/// What is said of a client.
package enum Judgement: Hashable, Sendable {
    case passes
    /// It passes here and fails on dual-stack.
    case passesHereOnly
    /// It fails and passes, both here.
    case flaky
    /// It fails here and passes on dual-stack.
    case failsHere
    /// It fails here, and on dual-stack it went on until it was stopped.
    case failsHereRunsThere
    /// It fails here, and nothing can be said of dual-stack.
    case failsUncompared
    case failsEverywhere
    case timesOut
    /// It failed where the simulator or our tracing stood in its way, as no network would: that says nothing of the client.
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

    /// As the client ended.
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
                // On IPv4 alone, dual-stack is no network on which a program works that knows IPv6 only: its hosts have IPv4 addresses.
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
    /// What was met here and on dual-stack alike: no cause of a difference between the two.
    package var onBothNetworks: [Observation] = []
    /// What is said of a failure that no finding explains; `nil` if one does.
    package var unexplained: Unexplained?
    /// Whether the client fails here, and works with Apple's getaddrinfo: that is said, and changes no verdict.
    package var worksBySynthesis = false

    /// - Parameter command: the client's argument vector.
    package init(_ runs: Runs, command: [String] = []) {
        judgement = Judgement(runs)
        // What went wrong the first time did not the second.
        if judgement == .flaky || judgement == .notJudged { return }
        let diagnosis = Diagnosis(
            Examination(
                run: runs.first, control: runs.isComparable ? runs.control : nil,
                withoutSynthesis: runs.withoutSynthesis, again: runs.again, translated: runs.translated,
                later: runs.later, setAside: runs.setAside, command: command),
            rules: runs.first.canaries.isEmpty ? Catalogue.all : [.ledToPrivateAddress])
        findings = diagnosis.findings
        onBothNetworks = diagnosis.onBothNetworks
        // It says as much as can be said, and the runs that could say more were made.
        let isDescribed = findings.contains { $0.rule == .endsAfterConnection }
        unexplained = Unexplained(runs, judgement, isExplained: isExplained || isDescribed)
        worksBySynthesis = runs.worksBySynthesis
    }

    /// Whether a finding says why the client fails, and not only how.
    var isExplained: Bool { findings.contains { $0.severity == .error && !$0.rule.isSymptom } }

    /// Whether the client passes, and would not without literal synthesis.
    package var reliesOnSynthesis: Bool {
        findings.contains { $0.rule == .passesBySynthesis || $0.rule == .passesByURLLoading }
    }
}

/// What is known of a failure on the network, with a pass on dual-stack, that no finding explains.
package enum Unexplained: Hashable, Sendable {
    /// - Parameter isTriedLater: whether the client failed once more after the control run.
    case noCause(isTriedLater: Bool)
    /// It passes after the control run, and without going to these hosts any more: a cache or the like.
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
