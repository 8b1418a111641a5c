// SPDX-License-Identifier: Apache-2.0
import Evidence
import Suites
import TestResults
import Text
import Topology

extension CaseResult.Inner {
    init(_ inner: InnerCase, of element: SuiteCase) {
        let test = inner.test
        self.init(
            id: "\(element.test.name)/\(test.id)@\(element.network.name)", group: test.group, name: test.name,
            outcome: inner.outcome, seconds: inner.isMissing ? 0 : test.seconds,
            // A canary's result needs no comparison.
            message: element.test.canaries.isEmpty || inner.outcome == .pass ? Self.message(inner) : test.message,
            detail: inner.outcome.isRed || inner.outcome == .known || inner.outcome == .flaky ? test.detail : "")
    }

    private static func message(_ inner: InnerCase) -> String {
        let said = inner.test.message
        let missing = "it does not report it here"
        switch inner.outcome {
        case .pass: return ""
        case .skip:
            return joined(said, inner.control == .passed ? "skipped here; it passes on dual-stack" : "")
        case .flaky: return joined(inner.isMissing ? missing : said, "it passed the second time")
        case .broken:
            return joined(inner.isMissing ? missing : said, inner.control == nil ? "" : "it fails on dual-stack too")
        default:
            let there =
                switch inner.control {
                case .passed: "it passes on dual-stack"
                case .skipped: "it is skipped on dual-stack"
                case .failed, nil: "dual-stack has no result of it"
                }
            return joined(inner.isMissing ? missing : said, there)
        }
    }

    private static func joined(_ parts: String...) -> String { parts.filter { !$0.isEmpty }.joined(separator: "; ") }
}

/// `3 of 120 tests fail here and pass on dual-stack, 1 fails on dual-stack too`
func innerCounts(_ inner: [InnerCase]) -> String {
    func count(_ outcomes: CaseOutcome...) -> Int { inner.count { outcomes.contains($0.outcome) } }
    let failing = inner.filter { $0.outcome == .fail || $0.outcome == .known }
    let missing = failing.count { $0.isMissing }
    let compared = failing.count { !$0.isMissing && $0.control == .passed }
    var parts: [String] = []
    func add(_ count: Int, _ one: String, _ many: String) {
        if count == 0 { return }
        let number = parts.isEmpty ? "\(count) of \(counted(inner.count, "test"))" : "\(count)"
        parts.append("\(number) \(plural(count, one, many))")
    }
    add(compared, "fails here and passes on dual-stack", "fail here and pass on dual-stack")
    add(missing, "is not reported here", "are not reported here")
    add(failing.count - compared - missing, "fails here", "fail here")
    add(
        count(.broken), inner.contains { $0.control != nil } ? "fails on dual-stack too" : "fails",
        inner.contains { $0.control != nil } ? "fail on dual-stack too" : "fail")
    add(count(.flaky), "failed once and passed once", "failed once and passed once")
    return parts.joined(separator: ", ")
}
