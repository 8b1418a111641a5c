// SPDX-License-Identifier: Apache-2.0
package import Suites

/// The results as one page of HTML, without scripts or external resources: tests and networks, then each case, the red ones first and open.
package enum HTMLReport {
    /// - Parameter pages: the page of a rule, as Markdown.
    package static func render(_ results: SuiteResults, pages: (String) -> String?) -> String {
        HTMLPage.render(title: "ipv6check: \(results.header.suite)") { page in
            let rules = HTMLRulePages(of: results.cases, pages)
            header(results, &page)
            page.element("main") { page in
                matrix(results, &page)
                for result in results.cases.filter(\.isRed) + results.cases.filter({ !$0.isRed }) {
                    write(result, rules, &page)
                }
                gone(results, &page)
                rules.write(&page)
            }
        }
    }

    private static func header(_ results: SuiteResults, _ page: inout HTMLWriter) {
        let head = results.header
        let isGood = results.exitCode == 0
        let lines = SuiteLines(style: TerminalStyle(isColoured: false), cases: [])
        let verdict = lines.summary(results).split(separator: "\n").first.map(String.init) ?? ""
        page.element("header", [("class", isGood ? "good" : "bad")]) { page in
            page.heading(1, text: "\(isGood ? "✓" : "✗") \(head.suite)")
            page.element("p", text: verdict)
            var facts = [head.file, head.timestamp, head.host]
            if let shard = head.shard { facts.append("shard \(shard)") }
            page.element("p", [("class", "dim")], text: facts.filter { !$0.isEmpty }.joined(separator: " · "))
        }
        page.raw("\n")
    }

    private static func matrix(_ results: SuiteResults, _ page: inout HTMLWriter) {
        var networks: [String] = []
        var tests: [String] = []
        var cells: [String: [String: CaseResult]] = [:]
        for result in results.cases {
            if !networks.contains(result.network) { networks.append(result.network) }
            if cells[result.test] == nil { tests.append(result.test) }
            cells[result.test, default: [:]][result.network] = result
        }
        // Scrollable regions must be reachable by the keyboard.
        let attributes: [(StaticString, String)] = [
            ("class", "scroll"), ("role", "region"), ("aria-label", "Tests and networks"), ("tabindex", "0"),
        ]
        page.element("div", attributes) { page in
            page.element("table") { page in
                page.element("tr") { page in
                    page.element("th", [("scope", "col")], text: "test")
                    for network in networks { page.element("th", [("scope", "col")], text: network) }
                }
                for test in tests {
                    page.raw("\n")
                    page.element("tr") { page in
                        page.element("th", [("scope", "row")], text: test)
                        for network in networks {
                            guard let result = cells[test]?[network] else {
                                page.raw("<td></td>")
                                continue
                            }
                            page.element("td", [("class", state(result))]) { page in
                                page.element(
                                    "a", [("href", "#\(HTMLPage.anchor(result.id))")],
                                    text: "\(sign(result)) \(result.outcome.rawValue)"
                                )
                            }
                        }
                    }
                }
            }
        }
        page.raw("\n")
    }

    private static func write(_ result: CaseResult, _ rules: HTMLRulePages, _ page: inout HTMLWriter) {
        page.element("details", result.isRed ? [("open", "")] : []) { page in
            page.element("summary") { page in
                page.heading(2) { page in
                    page.element("span", [("class", state(result))], text: "\(sign(result)) \(result.outcome.rawValue)")
                    page.write(" \(result.id)")
                }
                if !result.message.isEmpty { page.write(" \(result.message)") }
            }
            // A browser opens the folded element that contains a link's target.
            page.element("div", [("id", HTMLPage.anchor(result.id)), ("class", "target")]) { page in
                HTMLCase(result: result, level: 3, pages: rules).write(&page)
            }
        }
        page.raw("\n")
    }

    private static func gone(_ results: SuiteResults, _ page: inout HTMLWriter) {
        if results.gone.isEmpty { return }
        page.heading(2, text: "Gone from the baseline")
        page.element("pre", text: results.gone.joined(separator: "\n"))
        page.raw("\n")
    }

    /// The class that colours a case.
    static func state(_ result: CaseResult) -> String {
        if result.isRed { return "bad" }
        return switch result.outcome {
        case .pass: "good"
        case .skip: "dim"
        default: "odd"
        }
    }

    static func sign(_ result: CaseResult) -> String {
        switch state(result) {
        case "bad": "✗"
        case "good": "✓"
        case "dim": "–"
        default: "~"
        }
    }
}
