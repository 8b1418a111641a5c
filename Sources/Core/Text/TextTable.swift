// SPDX-License-Identifier: Apache-2.0
/// Rows of cells as lines, with columns as narrow as possible.
package struct TextTable {
    private let rows: [[String]]
    private let numeric: Set<Int>
    private let gap: String

    /// - Parameters:
    ///   - rows: all with the same number of cells.
    ///   - numeric: columns of numbers, which are aligned at the right; the others are aligned at the left.
    ///   - gap: blanks between two columns.
    package init(_ rows: [[String]], numeric: Set<Int> = [], gap: Int = 2) {
        self.rows = rows
        self.numeric = numeric
        self.gap = String(repeating: " ", count: gap)
    }

    package var lines: [String] {
        let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = row.enumerated().map { column, cell in
                numeric.contains(column)
                    ? String(repeating: " ", count: widths[column] - cell.count) + cell
                    : cell.padded(to: widths[column])
            }
            var line = cells.joined(separator: gap)
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}
