// SPDX-License-Identifier: Apache-2.0
import Diagnosis
import Evidence
import Suites
import Text

extension CaseResult {
    /// A check of one client as a case of a suite, so that both share the same page.
    init(_ report: RunReport) {
        let run = report.run
        self.init(
            id: "", test: printable(abbreviated(report.command)), network: run.network.rawValue, line: 1,
            outcome: report.verdict.judgement.outcome, seconds: milliseconds(run.duration),
            message: TerminalReport.judgement(report, TerminalStyle(isColoured: false)).sentence)
        runs = report.runs.roles.map { role, run in
            Run(
                role: role, network: run.network.rawValue, end: phrase(run.end), seconds: milliseconds(run.duration),
                isAsExpected: run.end.isSuccess)
        }
        let origins = KnownOrigins(report.runs)
        findings = report.verdict.findings.flatMap { finding in
            let all = finding.observations
            let shown = all.prefix(Self.observationLimit).map { observation in
                Finding(
                    finding, report.words.spelled(printable(sentence(observation.statement))), report.words,
                    location: observation.site.flatMap(CodeLocation.init), origin: origins.origin(of: observation))
            }
            let more = all.count - shown.count
            return shown + (more > 0 ? [Finding(finding, "And \(more) more.", report.words)] : [])
        }
        drawRun(of: report.runs, findings: report.verdict.findings)
        reasons = TerminalReport.reasons(report)
        details = TerminalReport.details(report)
        control = report.runs.control.map { Control(output: "", errors: "", timeline: timeLine($0, findings: [])) }
    }

    /// Maximum number of observations per finding.
    private static let observationLimit = 50
}

extension CaseResult.Finding {
    fileprivate init(
        _ finding: Diagnosis.Finding, _ text: String, _ words: OptionWords, location: CodeLocation? = nil,
        origin: OriginLocation? = nil
    ) {
        self.init(
            rule: finding.rule.id, title: finding.rule.title, program: "", target: "", text: text, state: .new,
            severity: finding.severity.rawValue, advice: words.spelled(printable(finding.advice)),
            location: location, origin: origin)
    }
}

extension Judgement {
    fileprivate var outcome: CaseOutcome {
        switch self {
        case .passes, .passesHereOnly: .pass
        case .flaky: .flaky
        case .failsHere, .failsHereRunsThere, .failsUncompared: .fail
        case .failsEverywhere: .broken
        case .timesOut: .timeout
        case .notJudged: .error
        }
    }
}
