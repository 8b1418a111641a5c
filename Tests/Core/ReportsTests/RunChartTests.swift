// SPDX-License-Identifier: Apache-2.0
import Suites
import Testing

@testable import Reports

@Suite struct RunChartTests {
    @Test(arguments: [
        (0.003, ["0 ms", "1 ms", "2 ms", "3 ms"]), (0.04, ["0 ms", "10 ms", "20 ms", "30 ms", "40 ms"]),
        (0.81, ["0 s", "0.2 s", "0.4 s", "0.6 s", "0.8 s"]), (60.0, ["0 s", "20 s", "40 s", "60 s"]),
        (0.0009, ["0 ms", "0.2 ms", "0.4 ms", "0.6 ms", "0.8 ms"]),
    ])
    func `ticks stand at round numbers`(_ end: Double, _ labels: [String]) throws {
        let axis = try #require(TimeAxis(until: end))
        #expect(axis.ticks.map(\.label) == labels)
    }

    @Test(arguments: [1e-9, Double.leastNonzeroMagnitude, 1e300, .infinity])
    func `an axis of any length has a few ticks`(_ end: Double) throws {
        let axis = try #require(TimeAxis(until: end))
        #expect((1...6).contains(axis.ticks.count))
    }

    @Test(arguments: [0.0, -1.0, Double.nan]) func `a run without time has no axis`(_ end: Double) {
        #expect(TimeAxis(until: end) == nil)
    }

    @Test func `times outside of the run are drawn at its ends`() throws {
        let axis = try #require(TimeAxis(until: 1))
        #expect(axis.percent(-5) == 0)
        #expect(axis.percent(0.25) == 25)
        #expect(axis.percent(1e300) == 100)
        #expect(axis.label(1e300) == "1.00 s")
    }

    private func page(_ steps: [CaseResult.Step], seconds: Double = 1) -> String {
        let run = CaseResult.Run(
            role: "first", network: "nat64", end: "exit 1", seconds: seconds, isAsExpected: false)
        var page = HTMLWriter()
        RunChart(columns: [RunChart.Column(title: "nat64", run: run, steps: steps)], level: 3) { $0 }.write(&page)
        return page.text
    }

    private func flow(_ text: String, _ at: Double?, until: Double? = nil, failed: Bool? = nil) -> CaseResult.Step {
        CaseResult.Step(at: at, until: until, kind: "flow", text: text, failed: failed)
    }

    @Test func `a connection is drawn from its first packet to its last, and one without an answer is bad`() {
        let page = page([flow("a", 0.1, until: 0.6, failed: false), flow("b", 1, failed: true)])
        #expect(
            page.contains(
                #"<li><span>a</span><span class="dim">0.10 s to 0.60 s</span><svg class="good" aria-hidden="true">"#))
        #expect(page.contains(#"<rect x="10.0%" y="1" width="50.0%" height="6">"#))
        #expect(page.contains(#"<li><span>✗ b</span><span class="dim">1.00 s</span><svg class="bad""#))
        // A bar without duration, at the very end, is still visible.
        #expect(page.contains(#"<rect x="99.6%" y="1" width="0.4%" height="6">"#))
    }

    @Test func `steps that say the same are one row with a mark for each`() {
        let page = page([flow("a", 0.1), flow("b", 0.15), flow("a", 0.2)])
        #expect(page.contains("<span>a</span><span class=\"dim\">0.10 s to 0.20 s, 2 times</span>"))
        #expect(page.matches(of: /<rect/).count == 3)
        #expect(page.matches(of: /<li>/).count == 2)
    }

    @Test(arguments: [(2.0, -1.0), (1e300, 1e308), (-1e300, .infinity)])
    func `a flow whose last packet came before its first does not trap, nor do other times`(
        _ start: Double, _ end: Double
    ) {
        #expect(page([flow("a", start, until: end)]).contains("<rect"))
    }

    @Test func `of many rows the first are shown, and what a finding is about; the rest is folded`() {
        var steps = (1...30).map { flow("row \($0)", 0.01 * Double($0)) }
        steps[29].rules = ["V6C-001"]
        let page = page(steps)
        let parts = page.split(separator: "<details><summary>22 more</summary>")
        #expect(parts.count == 2)
        #expect(parts[0].contains("row 7<") && !parts[0].contains("row 8<"))
        #expect(parts[0].contains("row 30 <a href=\"#V6C-001\">V6C-001</a>"))
    }

    @Test func `a run that sent nothing says so, and one without times has no bars`() {
        #expect(page([]).contains("<p>Nothing was sent.</p>"))
        #expect(!page([flow("a", nil)], seconds: 0).contains("<svg"))
    }
}
