// SPDX-License-Identifier: Apache-2.0
import Suites

/// The pages of the rules that cases met, in the same file: the reader of a report may be offline.
struct HTMLRulePages {
    /// In the order of the rules' numbers.
    private let texts: [(rule: String, text: String)]

    init(of results: [CaseResult], _ page: (String) -> String?) {
        let rules = Set(results.flatMap(\.findings).map(\.rule)).sorted()
        texts = rules.compactMap { rule in page(rule).map { (rule, $0) } }
    }

    /// The number of the rule, linked to its page if there is one.
    func link(to rule: String, _ page: inout HTMLWriter) {
        if texts.contains(where: { $0.rule == rule }) {
            page.element("a", [("href", "#\(Self.anchor(rule))")], text: rule)
        } else {
            page.write(rule)
        }
    }

    func write(_ page: inout HTMLWriter) {
        if texts.isEmpty { return }
        page.heading(2, text: "Rules")
        for (rule, text) in texts {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            page.element("details") { page in
                // `# V6C-001: connects to an IPv4 address, not to a name`
                page.element("summary", text: String(lines[0].drop { "# ".contains($0) }))
                // A browser opens the folded element that contains a link's target.
                page.element("div", [("id", Self.anchor(rule)), ("class", "target")]) { page in
                    page.markdown(lines.dropFirst(), level: 3)
                }
            }
            page.raw("\n")
        }
    }

    private static func anchor(_ rule: String) -> String { HTMLPage.anchor("rule-\(rule)") }
}
