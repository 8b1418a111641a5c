// SPDX-License-Identifier: Apache-2.0
/// A position in a file: line and column, both from 1; a column is one Unicode scalar wide.
package struct SourcePosition: Hashable, Sendable {
    package var line: Int
    package var column: Int

    /// The position of the octet at `offset` of `text`; an offset beyond the end gives that of the end.
    package init(offset: Int, in text: [UInt8]) {
        let before = text.prefix(max(0, offset))
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        line = 1 + before.count { $0 == UInt8(ascii: "\n") }
        // Every scalar has one octet that does not continue another; octets of the form 10xxxxxx continue one.
        column = 1 + before[lineStart...].count { $0 & 0xc0 != 0x80 }
    }

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}

extension SourcePosition: Comparable {
    package static func < (left: Self, right: Self) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}
