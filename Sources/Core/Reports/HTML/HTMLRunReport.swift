// SPDX-License-Identifier: Apache-2.0
import Suites
import Text

/// A check of one client as a page of HTML, like a single case of a suite.
package enum HTMLRunReport {
    /// - Parameters:
    ///   - pages: the page of a rule, as Markdown.
    ///   - source: the text of a line of a file that the client named; `nil` if it cannot be read.
    package static func render(
        _ report: RunReport, pages: (String) -> String?, source: (_ file: String, _ line: Int) -> String?
    ) -> String {
        var result = CaseResult(report)
        result.quoteSource(source)
        let word = TerminalReport.judgement(report, TerminalStyle(isColoured: false)).word
        return HTMLPage.render(title: "ipv6check: \(result.test)") { page in
            let isGood = !result.isRed
            page.element("header", [("class", isGood ? "good" : "bad")]) { page in
                page.heading(1, text: "\(isGood ? "✓" : "✗") \(result.test)")
                page.element("p", text: "\(word): \(result.message)")
            }
            page.element("main") { page in
                HTMLCase(result: result, level: 2, pages: HTMLRulePages(of: [result], pages)).write(&page)
                HTMLRulePages(of: [result], pages).write(&page)
            }
        }
    }
}
