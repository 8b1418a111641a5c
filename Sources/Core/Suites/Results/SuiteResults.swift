// SPDX-License-Identifier: Apache-2.0
/// The results of a suite: the source of every report format.
package struct SuiteResults: Hashable, Sendable {
    package var header: ResultHeader
    /// In the order of the suite; for a shard, only its own.
    package var cases: [CaseResult]
    /// From the first case to the last; for several shards, that of the longest.
    package var seconds: Double
    /// Entries of the baseline that no run met any more, a line each.
    package var gone: [String] = []

    package init(header: ResultHeader, cases: [CaseResult], seconds: Double) {
        self.header = header
        self.cases = cases
        self.seconds = seconds
    }

    package func count(_ outcomes: CaseOutcome...) -> Int { cases.count { outcomes.contains($0.outcome) } }

    package var red: [CaseResult] { cases.filter(\.isRed) }

    /// Cases of other shards.
    package var elsewhere: Int { header.cases.count - cases.count }

    /// The exit code for a case that was not judged, or whose network could not be made.
    package static let machineCannot: Int32 = 5

    /// 0 as expected; 1 a case is red for its network, was cancelled, is flaky or leaks; 2 and 5 a case could not be run; 3 only broken
    /// cases are red; 4 nothing ran. The first of 5, 2, 1, 3 that applies.
    package var exitCode: Int32 {
        let codes = cases.compactMap { result -> Int32? in
            guard result.isRed else { return nil }
            return switch result.outcome {
            case .fail, .timeout, .newDependency, .fixed, .expired, .cancelled, .flaky, .leak: 1
            case .error: result.code ?? 1
            case .broken: 3
            case .pass, .known, .skip: nil
            }
        }
        if let code = [5, 2, 1, 3].first(where: codes.contains) { return code }
        if header.cases.isEmpty { return 4 }
        // A shard may have no tests; a suite whose cases were all skipped has shown nothing.
        return cases.isEmpty && header.shard != nil || cases.contains { $0.outcome != .skip } ? 0 : 4
    }
}
