import Reports

/// Rows under headings, as `docker ps` and `ss` show them: columns two spaces apart, as wide as they must be.
struct TextTable {
    private let rows: [[String]]
    /// Columns of numbers, which end at the same place.
    private let numeric: Set<Int>

    init(_ headings: [String], numeric: Set<Int> = [], _ rows: [[String]]) {
        self.rows = [headings] + rows.map { $0.map(printable) }
        self.numeric = numeric
    }

    var text: String {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            var line = ""
            for (column, cell) in row.enumerated() {
                let padding = String(repeating: " ", count: widths[column] - cell.count)
                line += (numeric.contains(column) ? padding + cell : cell + padding) + "  "
            }
            while line.last == " " { line.removeLast() }
            return line
        }.joined(separator: "\n")
    }
}
