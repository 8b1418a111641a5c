// SPDX-License-Identifier: Apache-2.0
package import TestResults

/// Where a client that is a test runner reports its tests, which are judged one by one then.
package struct InnerReport: Hashable, Sendable {
    package var format: ResultsFormat
    /// A path in `$OUT`; `nil` is the client's standard output.
    package var file: String?

    package init(_ format: ResultsFormat, file: String?) {
        self.format = format
        self.file = file
    }

    /// The start of a sentence about it.
    package var name: String { file.map { "the report \($0)" } ?? "the report on standard output" }
}
