// SPDX-License-Identifier: Apache-2.0
import Diagnosis
import Evidence
import Text

/// A run in the course of time, as bars under one axis: names that were asked for, connections, calls that failed and processes, and
/// which of them a finding is about. A label stands above its bar, not in it: a bar may be as short as an instant, and then labels would overlap.
enum RunChart {
    /// Rows of each kind that are drawn, and marks in a row: a client can make any number.
    private static let limit = (rows: 25, marks: 200)
    /// In percent: what took no time is seen, too.
    private static let leastWidth = 0.3

    static func write(_ run: RunEvidence, findings: [Finding], _ page: inout HTMLWriter) {
        let rows = chartRows(run, findings: findings)
        guard !rows.isEmpty, let axis = TimeAxis(until: run.duration) else { return }
        page.element("div", [("class", "chart")]) { page in
            ruler(axis, &page)
            for kind in ChartRow.Kind.allCases { write(rows.filter { $0.kind == kind }, of: kind, axis, &page) }
        }
    }

    private static func ruler(_ axis: TimeAxis, _ page: inout HTMLWriter) {
        page.element("svg", [("class", "ruler"), ("aria-hidden", "true")]) { page in
            for tick in axis.ticks {
                let place = axis.percent(tick.time)
                // The outermost would stand half outside.
                let anchor = place < 5 ? "start" : place > 95 ? "end" : "middle"
                page.element("text", [("x", "\(place)%"), ("y", "12"), ("text-anchor", anchor)], text: tick.label)
            }
        }
    }

    private static func write(
        _ rows: [ChartRow], of kind: ChartRow.Kind, _ axis: TimeAxis, _ page: inout HTMLWriter
    ) {
        if rows.isEmpty { return }
        page.element("h4", text: kind.rawValue)
        for row in shown(rows) {
            page.element("p") { page in
                page.write(printable(row.label))
                for rule in row.rules {
                    page.write(" ")
                    page.element("a", [("href", "#\(rule)")], text: rule)
                }
            }
            bar(row, axis, &page)
        }
        if rows.count > limit.rows { page.element("p", text: "and \(rows.count - limit.rows) more") }
    }

    /// What a finding is about goes before the rest, if there is too much.
    private static func shown(_ rows: [ChartRow]) -> [ChartRow] {
        let places = rows.indices.filter { !rows[$0].rules.isEmpty } + rows.indices.filter { rows[$0].rules.isEmpty }
        return places.prefix(limit.rows).sorted().map { rows[$0] }
    }

    private static func bar(_ row: ChartRow, _ axis: TimeAxis, _ page: inout HTMLWriter) {
        page.element("svg", [("class", row.state.rawValue), ("role", "img")]) { page in
            page.element("title", text: row.times.first.map { times($0, until: axis.end) } ?? "")
            for tick in axis.ticks {
                let place = "\(axis.percent(tick.time))%"
                page.element("line", [("x1", place), ("x2", place), ("y1", "0"), ("y2", "100%")], text: "")
            }
            for time in row.times.prefix(limit.marks) {
                let (start, end) = (axis.percent(time.lowerBound), axis.percent(time.upperBound))
                let left = min(start, 100 - leastWidth)
                let width = (max(leastWidth, end - left) * 100).rounded() / 100
                page.element(
                    "rect", [("x", "\(left)%"), ("y", "1"), ("width", "\(width)%"), ("height", "6")], text: "")
            }
        }
    }

    /// `0.021 s to 0.034 s`
    private static func times(_ time: ClosedRange<Duration>, until end: Duration) -> String {
        let (first, last) = (milliseconds(time.lowerBound), milliseconds(min(time.upperBound, end)))
        return first >= last ? "at \(first) s" : "\(first) s to \(last) s"
    }
}
