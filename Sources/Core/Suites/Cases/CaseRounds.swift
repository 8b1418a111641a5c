// SPDX-License-Identifier: Apache-2.0
import Text

/// The number of rounds of a case: one, further ones while it is red (`retries`), or many while it is green (`repeats`).
package struct CaseRounds: Sendable {
    private let retries: Int
    private let repeats: Int
    /// Rounds that have ended.
    package private(set) var ended = 0
    private var seconds = 0.0
    private var failed: CaseResult?

    package init(retries: Int = 0, repeats: Int = 1) {
        self.retries = retries
        self.repeats = repeats
    }

    /// - Parameter mayContinue: whether another round is allowed.
    /// - Returns: the case's result; `nil` for another round.
    package mutating func take(_ result: CaseResult, mayContinue: Bool) -> CaseResult? {
        ended += 1
        seconds += result.seconds
        var result = result
        result.seconds = seconds
        if repeats > 1 { return takeRepetition(result, mayContinue: mayContinue) }
        if ended <= retries, mayContinue, Self.mayPass(result) {
            failed = failed ?? result
            return nil
        }
        guard ended > 1 else { return result }
        result.tries = ended
        switch (result.outcome, failed) {
        case (.pass, let failed?), (.leak, let failed?), (.flaky, let failed?):
            // The failure is more interesting to read.
            (result.report, result.output, result.errors) = (failed.report, failed.output, failed.errors)
            (result.control, result.timeline, result.timelineRole) = (
                failed.control, failed.timeline, failed.timelineRole
            )
            (result.reasons, result.details) = (failed.reasons, failed.details)
            result.outcome = .flaky
            result.message =
                "passed at try \(ended) of \(retries + 1)"
                + (failed.message.isEmpty ? "" : "; before: \(failed.message)")
        default:
            result.message += "\(result.message.isEmpty ? "" : " ")(\(counted(ended, "try", "tries")))"
        }
        return result
    }

    private func takeRepetition(_ result: CaseResult, mayContinue: Bool) -> CaseResult? {
        let isGood = !result.outcome.isRed && result.outcome != .flaky
        if isGood, ended < repeats, mayContinue { return nil }
        var result = result
        result.tries = ended
        if isGood, ended < repeats {
            // Not all repetitions that the user asked for were made.
            result.outcome = .cancelled
            result.message = "the suite ended after repetition \(ended) of \(repeats)"
        } else if !isGood {
            result.message = "repetition \(ended) of \(repeats): \(result.message)"
        }
        return result
    }

    /// Whether a red case may be green in the next round: mistakes in the suite, and outcomes from findings, do not change.
    private static func mayPass(_ result: CaseResult) -> Bool {
        switch result.outcome {
        case .fail, .timeout, .broken: true
        case .error: result.code != 2
        default: false
        }
    }
}
