import Diagnosis
import Suites

/// What the formats for findings show: each finding of each case, and each red case that no finding explains.
struct GateFinding: Hashable {
    enum Level: String, CaseIterable {
        case error, warning, note
    }

    /// `V6C-001`, or `suite-broken` of a case without a rule.
    var rule: String
    var title: String
    var text: String
    var level: Level
    /// What makes it the same in another run: no line, no process, no count.
    var fingerprint: String
    /// `fetch@nat64`
    var id: String
    var line: Int
    var isNew: Bool
    /// Why it is accepted; `nil` if it is not.
    var acceptance: String?

    /// The heaviest first.
    static func all(in results: SuiteResults) -> [GateFinding] {
        let found = results.cases.flatMap(findings)
        return Level.allCases.flatMap { level in found.filter { $0.level == level } }
    }

    private static func findings(of result: CaseResult) -> [GateFinding] {
        var rows = result.findings.map { finding in
            let isNew = finding.state == .new
            let isCause = result.isRed && isNew && Self.isAboutFindings(result.outcome)
            return GateFinding(
                rule: finding.rule, title: "It \(finding.title).",
                text: "\(result.id): \(finding.program) \(finding.title): \(finding.target). \(finding.text)",
                level: isCause ? .error : .warning,
                fingerprint: "\(finding.rule) \(result.test) \(finding.program) \(finding.target)", id: result.id,
                line: result.line, isNew: isNew,
                acceptance: isNew ? nil : finding.reason ?? "in the baseline")
        }
        if result.isRed, !rows.contains(where: { $0.level == .error }) {
            rows.append(
                GateFinding(
                    rule: "suite-\(result.outcome.rawValue)", title: meaning(result.outcome),
                    text: result.message.isEmpty ? result.id : "\(result.id): \(result.message)", level: .error,
                    fingerprint: "suite-\(result.outcome.rawValue) \(result.id)", id: result.id, line: result.line,
                    isNew: true))
        }
        return rows
    }

    private static func isAboutFindings(_ outcome: CaseOutcome) -> Bool {
        switch outcome {
        case .fail, .timeout, .newDependency: true
        default: false
        }
    }

    private static func meaning(_ outcome: CaseOutcome) -> String {
        switch outcome {
        case .pass, .skip, .known: "It is as expected."
        case .fail: "It fails here, and not on dual-stack."
        case .timeout: "It was ended by its timeout here, and not on dual-stack."
        case .newDependency: "It has a new dependency on IPv4."
        case .fixed: "A known failure does not occur any more."
        case .expired: "A known failure is not accepted any more."
        case .flaky: "It failed once and passed once."
        case .broken: "It fails on dual-stack too."
        case .error: "It could not be run or judged."
        case .leak: "It leaves processes behind."
        case .cancelled: "It was not run to its end."
        }
    }
}

extension GateFinding {
    init(gone line: String) {
        self.init(
            rule: String(line.prefix { $0 != " " }), title: "", text: "Gone from the baseline: \(line)", level: .note,
            fingerprint: line, id: "", line: 1, isNew: false)
    }

    /// The rule that has this number; `nil` if it is none of the catalogue's.
    var known: Rule? { Catalogue.all.first { $0.id == rule || $0.was == rule } }
}
