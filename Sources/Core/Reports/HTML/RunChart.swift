// SPDX-License-Identifier: Apache-2.0
import Suites

/// Runs beside each other, as bars under one axis: failed calls, look-ups, connections and processes, with the rules whose findings are
/// about them. A label is above its bar, not in it: a bar may be very short, and then labels would overlap.
struct RunChart {
    /// A run, on the network that the title names.
    struct Column {
        let title: String
        /// How the run ended.
        let run: CaseResult.Run?
        let steps: [CaseResult.Step]
    }

    /// Maximum number of marks in a row: a client can make any number.
    private static let markLimit = 200
    /// In percent: a step that took no time is visible, too.
    private static let leastWidth = 0.4

    let columns: [Column]
    /// Level of the columns' headings.
    let level: Int
    /// The id of the finding of a rule.
    let anchor: (String) -> String

    /// Shared by all columns, so that they can be compared.
    private var axis: TimeAxis? {
        let ends = columns.flatMap(\.steps).compactMap { $0.until ?? $0.at } + columns.compactMap(\.run?.seconds)
        return TimeAxis(until: ends.max() ?? 0)
    }

    func write(_ page: inout HTMLWriter) {
        let axis = axis
        page.element("div", [("class", "pair")]) { page in
            for column in columns { write(column, axis, &page) }
        }
        page.raw("\n")
    }

    private func write(_ column: Column, _ axis: TimeAxis?, _ page: inout HTMLWriter) {
        page.element("div", [("class", "chart")]) { page in
            page.heading(level) { page in
                page.write(column.title)
                guard let run = column.run else { return }
                page.write(" ")
                page.element("span", [("class", run.isAsExpected ? "good" : "bad")], text: run.end)
                page.element("span", [("class", "dim")], text: " after \(decimal(run.seconds)) s")
            }
            if column.steps.isEmpty {
                page.element("p", text: "Nothing was sent.")
                return
            }
            if let axis { ruler(axis, &page) }
            let cause = Self.cause(column.steps)
            for kind in ChartRow.Kind.allCases {
                write(ChartRow.rows(column.steps, kind), of: kind, axis, cause, &page)
            }
        }
    }

    /// When the run failed: the time of the first failure with a finding about it, preferably of a call.
    private static func cause(_ steps: [CaseResult.Step]) -> Double? {
        let met = steps.filter { $0.failed == true && $0.rules != nil }
        return (met.first { $0.kind == ChartRow.Kind.call.rawValue } ?? met.first)?.at
    }

    private func ruler(_ axis: TimeAxis, _ page: inout HTMLWriter) {
        page.element("svg", [("class", "ruler"), ("aria-hidden", "true")]) { page in
            for tick in axis.ticks {
                let place = axis.percent(tick.seconds)
                // Centred, the outermost labels would be half outside.
                let anchor = place < 5 ? "start" : place > 95 ? "end" : "middle"
                page.element("text", [("x", "\(place)%"), ("y", "12"), ("text-anchor", anchor)], text: tick.label)
            }
        }
    }

    private func write(
        _ rows: [ChartRow], of kind: ChartRow.Kind, _ axis: TimeAxis?, _ cause: Double?, _ page: inout HTMLWriter
    ) {
        if rows.isEmpty { return }
        page.heading(level + 1, text: kind.title)
        let (shown, rest) = Self.split(rows, at: kind == .process ? 3 : 8)
        list(shown, axis, cause, &page)
        if rest.isEmpty { return }
        page.element("details") { page in
            page.element("summary", text: "\(rest.count) more")
            list(rest, axis, cause, &page)
        }
    }

    /// If there are too many rows, those with a finding are shown before the rest.
    private static func split(_ rows: [ChartRow], at limit: Int) -> (shown: [ChartRow], rest: [ChartRow]) {
        let order = rows.indices.filter { !rows[$0].rules.isEmpty } + rows.indices.filter { rows[$0].rules.isEmpty }
        func sorted(_ indices: some Sequence<Int>) -> [ChartRow] { indices.sorted().map { rows[$0] } }
        return (sorted(order.prefix(limit)), sorted(order.dropFirst(limit)))
    }

    private func list(_ rows: [ChartRow], _ axis: TimeAxis?, _ cause: Double?, _ page: inout HTMLWriter) {
        page.element("ul") { page in
            for row in rows {
                let isCause = row.failed == true && !row.rules.isEmpty
                page.element("li", isCause ? [("class", "cause")] : []) { page in
                    page.element("span") { page in
                        page.write(row.failed == true ? "✗ \(row.label)" : row.label)
                        for rule in row.rules {
                            page.write(" ")
                            page.element("a", [("href", "#\(anchor(rule))")], text: rule)
                        }
                    }
                    guard let axis, let first = row.times.first, let last = row.times.last else { return }
                    page.element("span", [("class", "dim")], text: Self.times(row, first, last, axis))
                    // In the cause's own row its mark is enough.
                    bar(row, axis, isCause ? nil : cause, &page)
                }
            }
        }
    }

    private func bar(_ row: ChartRow, _ axis: TimeAxis, _ cause: Double?, _ page: inout HTMLWriter) {
        let state = row.failed.map { $0 ? "bad" : "good" } ?? "dim"
        page.element("svg", [("class", state), ("aria-hidden", "true")]) { page in
            for time in row.times.prefix(Self.markLimit) {
                let (start, end) = (axis.percent(time.lowerBound), axis.percent(time.upperBound))
                let left = min(start, 100 - Self.leastWidth)
                let width = (max(Self.leastWidth, end - left) * 100).rounded() / 100
                page.element(
                    "rect", [("x", "\(left)%"), ("y", "1"), ("width", "\(width)%"), ("height", "6")], text: "")
            }
            guard let cause else { return }
            let place = "\(axis.percent(cause))%"
            page.element("line", [("x1", place), ("x2", place), ("y1", "0"), ("y2", "100%")], text: "")
        }
    }

    /// `21 ms`, `21 ms to 95 ms`, `21 ms to 95 ms, 4 times`
    private static func times(
        _ row: ChartRow, _ first: ClosedRange<Double>, _ last: ClosedRange<Double>, _ axis: TimeAxis
    ) -> String {
        let (start, end) = (axis.label(first.lowerBound), axis.label(last.upperBound))
        let count = row.times.count > 1 ? ", \(row.times.count) times" : ""
        return (start == end ? start : "\(start) to \(end)") + count
    }
}
