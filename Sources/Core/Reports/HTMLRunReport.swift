// SPDX-License-Identifier: Apache-2.0
import Diagnosis
import Evidence
import Text

/// A check of one client as a page of HTML: the verdict and why, what its processes did in the course of time beside what they did in the
/// control run, and the report for a person.
package enum HTMLRunReport {
    package static func render(_ report: RunReport) -> String {
        HTMLPage.render(title: "ipv6check: \(printable(abbreviated(report.command)))") { page in
            header(report, &page)
            findings(report, &page)
            runs(report, &page)
            courses(report, &page)
            page.element("h3", text: "Report")
            page.element(
                "pre", text: TerminalReport.render(report, style: TerminalStyle(isColoured: false), verbose: false))
            page.raw("\n")
        }
    }

    private static func header(_ report: RunReport, _ page: inout HTMLWriter) {
        let isGood =
            switch report.verdict.judgement {
            case .passes, .passesHereOnly, .flaky: true
            default: false
            }
        page.element("header", [("class", isGood ? "good" : "bad")]) { page in
            page.element("h1", text: "\(isGood ? "✓" : "✗") \(printable(abbreviated(report.command)))")
            page.element("p", text: TerminalReport.headline(report, style: TerminalStyle(isColoured: false)))
            if let pref64 = report.pref64 { page.element("p", [("class", "dim")], text: "Pref64 \(pref64)") }
        }
        page.raw("\n")
    }

    private static func findings(_ report: RunReport, _ page: inout HTMLWriter) {
        let origins = KnownOrigins(report.runs)
        for finding in report.verdict.findings {
            let rows = finding.observations.map { sentence($0.statement) } + origins.sentences(for: finding)
            page.element("details", [("id", finding.rule.id), ("open", "")]) { page in
                page.element("summary") { page in
                    page.element(
                        "b", [("class", finding.severity == .error ? "bad" : "odd")], text: finding.rule.id)
                    page.write(" It \(finding.rule.title).")
                }
                page.element("ul") { page in
                    for row in rows.prefix(rowLimit) { page.element("li", text: printable(row)) }
                    if rows.count > rowLimit { page.element("li", text: "and \(rows.count - rowLimit) more") }
                }
                page.element("p") { page in
                    page.element("b", text: "fix ")
                    page.write(printable(finding.advice))
                }
                page.element("p", [("class", "dim")], text: finding.rule.page)
            }
            page.raw("\n")
        }
    }

    private static let rowLimit = 50

    private static func runs(_ report: RunReport, _ page: inout HTMLWriter) {
        page.element("div", [("class", "scroll")]) { page in
            page.element("table") { page in
                page.raw("<tr><th>run</th><th>network</th><th>end</th><th>time</th></tr>")
                for (role, run) in report.runs.roles {
                    page.element("tr") { page in
                        page.element("td", text: role)
                        page.element("td", text: run.network.rawValue)
                        page.element("td", [("class", run.end.isSuccess ? "good" : "bad")], text: phrase(run.end))
                        page.element("td", text: seconds(run.duration))
                    }
                }
            }
        }
        page.raw("\n")
    }

    // MARK: - Timeline

    private static func courses(_ report: RunReport, _ page: inout HTMLWriter) {
        let runs = report.runs
        let here = report.tracedRun ?? runs.again ?? runs.first
        page.element("h3", text: "Timeline")
        page.element("div", [("class", "pair")]) { page in
            course(here, findings: report.verdict.findings, &page)
            if let control = runs.control { course(control, findings: [], &page) }
        }
        page.raw("\n")
    }

    private static func course(_ run: RunEvidence, findings: [Finding], _ page: inout HTMLWriter) {
        page.element("div") { page in
            page.element("p", [("class", "dim")], text: run.network.rawValue)
            RunChart.write(run, findings: findings, &page)
            HTMLCase.timeline(timeLine(run), nil, &page)
        }
    }
}
