// SPDX-License-Identifier: Apache-2.0
import Suites
import Text

/// The HTML of a case, each fact once: the picture of its runs, the reasons with their source lines and fixes, and the rest folded.
struct HTMLCase {
    let result: CaseResult
    /// Level of its headings.
    let level: Int
    let pages: HTMLRulePages

    func write(_ page: inout HTMLWriter) {
        for warning in result.warnings { page.element("p", text: warning) }
        chart(&page)
        why(&page)
        outputs(&page)
        details(&page)
    }

    // MARK: - The picture

    private func chart(_ page: inout HTMLWriter) {
        let control = result.runs.first { $0.role == "control" }
        if result.timeline.isEmpty, result.control == nil, result.runs.isEmpty { return }
        var columns = [
            RunChart.Column(
                title: result.network, run: result.runs.first { $0.role == result.timelineRole ?? "first" },
                steps: result.timeline)
        ]
        if let steps = result.control?.timeline {
            columns.append(RunChart.Column(title: control?.network ?? "dual-stack", run: control, steps: steps))
        }
        page.heading(level, text: "Timeline")
        RunChart(columns: columns, level: level + 1, anchor: anchor).write(&page)
    }

    /// The id of the finding of a rule: the same in every case.
    private func anchor(_ rule: String) -> String {
        HTMLPage.anchor(result.id.isEmpty ? rule : "\(result.id)-\(rule)")
    }

    // MARK: - Why

    private func why(_ page: inout HTMLWriter) {
        let reasons = result.reasons ?? []
        if result.findings.isEmpty, reasons.isEmpty { return }
        page.heading(level, text: result.isRed ? "Why" : "Findings")
        facts(reasons, &page)
        var rules: [String] = []
        for finding in result.findings where !rules.contains(finding.rule) {
            rules.append(finding.rule)
            write(result.findings.filter { $0.rule == finding.rule }, of: finding, &page)
        }
        page.raw("\n")
    }

    /// The findings of one rule.
    private func write(_ findings: [CaseResult.Finding], of first: CaseResult.Finding, _ page: inout HTMLWriter) {
        page.heading(level + 1, [("id", anchor(first.rule))]) { page in
            let state = first.severity == "error" ? "bad" : "odd"
            page.element("span", [("class", state)]) { page in pages.link(to: first.rule, &page) }
            page.write(" It \(first.title).")
        }
        var seen: Set<String> = []
        let distinct = findings.filter { seen.insert(text($0)).inserted }
        var quoted: Set<CodeLocation> = []
        for finding in distinct.prefix(Self.shownFindings) { write(finding, &quoted, &page) }
        let rest = distinct.dropFirst(Self.shownFindings)
        if !rest.isEmpty {
            page.element("details") { page in
                page.element("summary", text: "\(rest.count) more")
                for finding in rest { write(finding, &quoted, &page) }
            }
        }
        for advice in findings.compactMap(\.advice).withoutRepetition {
            page.element("p") { page in
                page.element("b", text: "Fix: ")
                page.write(advice)
            }
        }
    }

    /// Findings of one rule that are shown; the others are folded.
    private static let shownFindings = 5

    /// - Parameter quoted: the lines that are already on the page.
    private func write(_ finding: CaseResult.Finding, _ quoted: inout Set<CodeLocation>, _ page: inout HTMLWriter) {
        page.element("p", text: text(finding))
        for place in [finding.location, finding.origin?.place].compactMap(\.self)
        where quoted.insert(place).inserted {
            quote(place, &page)
        }
    }

    /// The text of a finding, with facts that the text does not contain yet.
    private func text(_ finding: CaseResult.Finding) -> String {
        var text = finding.text
        let target = finding.target.prefix { $0 != " " }
        if !finding.program.isEmpty, target != "-", !text.contains(target) {
            text = "\(finding.program) → \(finding.target). \(text)"
        }
        if let place = finding.location, place.source == nil, !text.contains(place.text) {
            text += " At \(place.text)."
        }
        text += GateFinding.from(finding)
        switch finding.state {
        case .new: return text
        case .known: return "\(text) Known: \(finding.reason ?? "no reason")."
        case .baseline: return "\(text) In the baseline."
        }
    }

    /// A line of the source, after its place.
    private func quote(_ place: CodeLocation, _ page: inout HTMLWriter) {
        guard let source = place.source else { return }
        page.element("p", [("class", "source")]) { page in
            page.element("span", [("class", "dim")], text: place.text)
            page.element("code", text: source)
        }
    }

    // MARK: - Folded details

    private func details(_ page: inout HTMLWriter) {
        let facts = result.details ?? result.notes.map { CaseResult.Fact(label: "note", text: $0) }
        if result.runs.count < 2, facts.isEmpty { return }
        page.element("details") { page in
            page.element("summary", text: "Runs and details")
            runs(&page)
            self.facts(facts, &page)
        }
        page.raw("\n")
    }

    private func runs(_ page: inout HTMLWriter) {
        if result.runs.count < 2 { return }
        page.element("table") { page in
            page.raw("<tr><th>run</th><th>network</th><th>end</th><th>time</th></tr>")
            for run in result.runs {
                page.element("tr") { page in
                    page.element("td", text: run.role)
                    page.element("td", text: run.network)
                    page.element("td", [("class", run.isAsExpected ? "good" : "bad")], text: run.end)
                    page.element("td", text: "\(decimal(run.seconds)) s")
                }
            }
        }
    }

    /// Labels and their texts; a row with an empty label continues the one before.
    private func facts(_ facts: [CaseResult.Fact], _ page: inout HTMLWriter) {
        if facts.isEmpty { return }
        page.element("dl") { page in
            for fact in facts {
                if !fact.label.isEmpty { page.element("dt", text: fact.label) }
                page.element("dd", text: fact.text)
            }
        }
    }

    // MARK: - Output

    private func outputs(_ page: inout HTMLWriter) {
        let control = result.control
        let streams = [
            ("stdout", result.output, control?.output ?? ""), ("stderr", result.errors, control?.errors ?? ""),
        ].filter { !$0.1.isEmpty || !$0.2.isEmpty }
        if streams.isEmpty { return }
        page.element("details") { page in
            page.element("summary", text: "Output")
            for (name, here, there) in streams {
                let (left, right) = control == nil ? (here.lines, []) : Line.differing(here.lines, there.lines)
                page.element("div", [("class", "pair")]) { page in
                    pane(left, "\(name) on \(result.network)", &page)
                    if control != nil { pane(right, "\(name) on dual-stack", &page) }
                }
            }
        }
        page.raw("\n")
    }

    private func pane(_ lines: [Line], _ title: String, _ page: inout HTMLWriter) {
        page.element("div") { page in
            page.element("p", [("class", "dim")], text: title)
            page.element("pre") { page in
                for line in lines {
                    if line.differs { page.element("mark", text: line.text) } else { page.write(line.text) }
                    page.write("\n")
                }
            }
        }
    }
}

/// A line of a client's output.
private struct Line {
    var text: String
    var differs = false

    /// Marks the lines between the common beginning and the common end.
    static func differing(_ left: [Line], _ right: [Line]) -> (left: [Line], right: [Line]) {
        let shorter = min(left.count, right.count)
        let start = (0..<shorter).first { left[$0].text != right[$0].text } ?? shorter
        let end =
            (0..<(shorter - start)).first { left[left.count - 1 - $0].text != right[right.count - 1 - $0].text }
            ?? shorter - start
        func marked(_ lines: [Line]) -> [Line] {
            lines.enumerated().map { index, line in
                Line(text: line.text, differs: (start..<(lines.count - end)).contains(index))
            }
        }
        return (marked(left), marked(right))
    }
}

extension String {
    fileprivate var lines: [Line] {
        var lines = split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines.map { Line(text: String($0)) }
    }
}

extension [String] {
    fileprivate var withoutRepetition: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
