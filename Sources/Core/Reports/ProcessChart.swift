import Evidence
import Text

/// The programs of a run as bars, from their start to their end.
enum ProcessChart {
    /// Rows that are drawn, and the sizes of the drawing in its own units.
    private static let rowLimit = 40
    private static let size = (width: 600, row: 18)

    static func write(_ programs: [TracedProgram], until end: Duration, _ page: inout HTMLWriter) {
        let shown = programs.prefix(rowLimit)
        if shown.isEmpty || end <= .zero { return }
        let height = shown.count * size.row
        page.element("div", [("class", "scroll")]) { page in
            page.element("svg", [("viewBox", "0 0 \(size.width) \(height)"), ("role", "img")]) { page in
                page.element("title", text: "processes")
                for (row, program) in shown.enumerated() {
                    let left = place(program.start, of: end)
                    let right = max(left + 2, place(program.end ?? end, of: end))
                    let top = row * size.row
                    page.element(
                        "rect",
                        [
                            ("x", "\(left)"), ("y", "\(top + 1)"), ("width", "\(right - left)"),
                            ("height", "\(size.row - 2)"),
                        ], text: "")
                    let name = printable("\(program.process) \(abbreviated(program.arguments))")
                    // A label of a bar that begins at the right would run out of the picture.
                    let isRight = left > size.width / 2
                    page.element(
                        "text",
                        [
                            ("x", "\(isRight ? size.width - 4 : left + 4)"), ("y", "\(top + 13)"),
                            ("text-anchor", isRight ? "end" : "start"),
                        ], text: name)
                }
            }
        }
        if programs.count > shown.count { page.element("p", text: "and \(programs.count - shown.count) more programs") }
    }

    /// In units of the drawing.
    private static func place(_ time: Duration, of end: Duration) -> Int {
        min(size.width, max(0, Int(Double(size.width) * (time / end))))
    }
}
