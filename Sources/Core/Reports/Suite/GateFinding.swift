// SPDX-License-Identifier: Apache-2.0
import Diagnosis
import Suites

/// The entries of the formats for findings: each finding of each case, and each red case without a finding.
struct GateFinding: Hashable {
    enum Level: String, CaseIterable {
        case error, warning, note
    }

    /// `V6C-001`, or `suite-broken` for a case without a rule.
    var rule: String
    var title: String
    var text: String
    var level: Level
    /// Identifies it across runs: without lines, processes or counts.
    var fingerprint: String
    /// `fetch@nat64`
    var id: String
    /// Line of the test in the suite file.
    var line: Int
    /// The call in the client's source, if its line is known.
    var location: CodeLocation?
    /// The origin of the address, if it is known.
    var origin: OriginLocation?
    var isNew: Bool
    /// Why it is accepted; `nil` if it is not accepted.
    var acceptance: String?

    /// Most severe first.
    static func all(in results: SuiteResults) -> [GateFinding] {
        let found = results.cases.flatMap(findings)
        return Level.allCases.flatMap { level in found.filter { $0.level == level } }
    }

    private static func findings(of result: CaseResult) -> [GateFinding] {
        var rows = result.findings.map { GateFinding($0, of: result) }
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

    /// ` The address comes from agent.conf:3.`, if the text does not say it itself.
    static func from(_ finding: CaseResult.Finding) -> String {
        guard let origin = finding.origin, !finding.text.contains(origin.place?.text ?? origin.text) else { return "" }
        return " The address comes \(origin.source)."
    }

    fileprivate static func isAboutFindings(_ outcome: CaseOutcome) -> Bool {
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
    init(_ finding: CaseResult.Finding, of result: CaseResult) {
        let isNew = finding.state == .new
        let isCause = result.isRed && isNew && Self.isAboutFindings(result.outcome)
        self.init(
            rule: finding.rule, title: "It \(finding.title).",
            text:
                "\(result.id): \(finding.program) \(finding.title): \(finding.target). \(finding.text)\(Self.from(finding))",
            level: isCause ? .error : finding.severity == "note" ? .note : .warning,
            fingerprint: "\(finding.rule) \(result.test) \(finding.program) \(finding.target)", id: result.id,
            line: result.line, location: finding.location, origin: finding.origin, isNew: isNew,
            acceptance: isNew ? nil : finding.reason ?? "in the baseline")
    }

    init(gone line: String) {
        self.init(
            rule: String(line.prefix { $0 != " " }), title: "", text: "Gone from the baseline: \(line)", level: .note,
            fingerprint: line, id: "", line: 1, isNew: false)
    }

    /// The page that explains it, below the URL of the published docs.
    func page(below pages: String) -> String {
        (pages.hasSuffix("/") ? String(pages.dropLast()) : pages) + "/" + (known?.page ?? "docs/suites.md")
    }

    /// The explanation for readers without the project's tree: the URL of its page if pages are published, or else the command that prints
    /// the page; `nil` if it is no rule of the catalogue and nothing is published.
    func explanation(below pages: String?) -> String? {
        pages.map { page(below: $0) } ?? known.map { "ipv6check explain \($0.id)" }
    }

    /// The line of the repository at which it is shown: in the client's source, at the address's origin, or in the suite file.
    func repositoryLine(suite: String) -> (path: String, line: Int) {
        guard let place = repositoryPlace(location, origin), let path = place.path else { return (suite, max(1, line)) }
        return (path, max(1, place.line ?? 1))
    }

    /// The rule with this number; `nil` if the catalogue has none.
    var known: Rule? { Catalogue.all.first { $0.id == rule || $0.was == rule } }
}
