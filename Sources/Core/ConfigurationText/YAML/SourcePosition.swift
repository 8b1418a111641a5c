// SPDX-License-Identifier: Apache-2.0
/// A place in a file: line and column, both from 1, a column being one Unicode scalar wide.
package struct SourcePosition: Hashable, Sendable {
    package var line: Int
    package var column: Int

    /// The place of the octet at `offset` of `text`; one behind the end is the end's.
    package init(offset: Int, in text: [UInt8]) {
        let before = text.prefix(max(0, offset))
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        line = 1 + before.count { $0 == UInt8(ascii: "\n") }
        // Every scalar has one octet that does not continue another: those of the form 10xxxxxx do.
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
