// SPDX-License-Identifier: Apache-2.0
import Suites
import Text

/// A case on the page: open if it is red.
enum HTMLCase {
    static func write(_ result: CaseResult, _ page: inout HTMLWriter) {
        let state = HTMLReport.state(result)
        page.element("details", [("id", result.id)] + (result.isRed ? [("open", "")] : [])) { page in
            page.element("summary") { page in
                page.element("b", [("class", state)], text: "\(HTMLReport.sign(result)) \(result.outcome.rawValue)")
                page.write(" ")
                page.element("b", text: result.id)
                if !result.message.isEmpty { page.write("  \(result.message)") }
            }
            page.raw("\n")
            for note in result.warnings + result.notes { page.element("p", text: note) }
            runs(result, &page)
            findings(result, &page)
            if !result.report.isEmpty {
                page.element("h3", text: "Report")
                page.element("pre", text: result.report)
            }
            timelines(result, &page)
            outputs(result, &page)
        }
        page.raw("\n")
    }

    private static func runs(_ result: CaseResult, _ page: inout HTMLWriter) {
        if result.runs.isEmpty { return }
        page.element("div", [("class", "scroll")]) { page in
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
    }

    private static func findings(_ result: CaseResult, _ page: inout HTMLWriter) {
        for finding in result.findings {
            page.element("p") { page in
                page.element("b", text: finding.rule)
                let state =
                    switch finding.state {
                    case .new: ""
                    case .known: " (known: \(finding.reason ?? ""))"
                    case .baseline: " (in the baseline)"
                    }
                page.write(" It \(finding.title): \(finding.program) → \(finding.target)\(state). \(finding.text)")
                if let place = finding.location { page.write(" At \(place.text).") }
                if let origin = finding.origin { page.write(" The address comes from \(origin.text).") }
                page.write(" (\(GateFinding(finding, of: result).page(below: nil)))")
            }
        }
    }

    // MARK: - What was sent

    private static func timelines(_ result: CaseResult, _ page: inout HTMLWriter) {
        let control = result.control?.timeline ?? []
        if result.timeline.isEmpty, control.isEmpty { return }
        page.element("h3", text: "Queries and flows")
        page.element("div", [("class", "pair")]) { page in
            timeline(result.timeline, result.control == nil ? nil : result.network, &page)
            if result.control != nil { timeline(control, "dual-stack", &page) }
        }
    }

    static func timeline(_ steps: [CaseResult.Step], _ network: String?, _ page: inout HTMLWriter) {
        page.element("div") { page in
            if let network { page.element("p", [("class", "dim")], text: network) }
            if steps.isEmpty { page.element("p", text: "nothing was sent") }
            page.element("ol") { page in
                for step in steps {
                    page.element("li") { page in
                        page.element("span", [("class", "dim")], text: step.at.map { "\(decimal($0)) s" } ?? step.kind)
                        page.element("span", text: step.text)
                    }
                }
            }
        }
    }

    // MARK: - What was printed

    private static func outputs(_ result: CaseResult, _ page: inout HTMLWriter) {
        let control = result.control
        for (name, here, there) in [
            ("stdout", result.output, control?.output ?? ""), ("stderr", result.errors, control?.errors ?? ""),
        ] where !here.isEmpty || !there.isEmpty {
            page.element("h3", text: name)
            let (left, right) = control == nil ? (here.lines, []) : differing(here.lines, there.lines)
            page.element("div", [("class", "pair")]) { page in
                pane(left, control == nil ? nil : result.network, &page)
                if control != nil { pane(right, "dual-stack", &page) }
            }
        }
    }

    private static func pane(_ lines: [Line], _ network: String?, _ page: inout HTMLWriter) {
        page.element("div") { page in
            if let network { page.element("p", [("class", "dim")], text: network) }
            page.element("pre") { page in
                for line in lines {
                    if line.differs { page.element("mark", text: line.text) } else { page.write(line.text) }
                    page.write("\n")
                }
            }
        }
    }

    fileprivate struct Line {
        var text: String
        var differs = false
    }

    /// Marks what lies between the lines that both begin with and those that both end with.
    private static func differing(_ left: [Line], _ right: [Line]) -> (left: [Line], right: [Line]) {
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
    fileprivate var lines: [HTMLCase.Line] {
        var lines = split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines.map { HTMLCase.Line(text: String($0)) }
    }
}
