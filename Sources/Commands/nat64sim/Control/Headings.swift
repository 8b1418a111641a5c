// SPDX-License-Identifier: Apache-2.0
import Text

/// Rows under headings, as `docker ps` and `ss` show them; nothing in them controls a terminal.
func table(_ headings: [String], numeric: Set<Int> = [], _ rows: [[String]]) -> String {
    TextTable([headings] + rows.map { $0.map(printable) }, numeric: numeric).lines.joined(separator: "\n")
}
