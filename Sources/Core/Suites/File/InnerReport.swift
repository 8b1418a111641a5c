// SPDX-License-Identifier: Apache-2.0
package import TestResults

/// The report of a client that is a test runner; its tests are judged one by one.
package struct InnerReport: Hashable, Sendable {
    package var format: ResultsFormat
    /// A path in `$OUT`; `nil` for the client's standard output.
    package var file: String?

    package init(_ format: ResultsFormat, file: String?) {
        self.format = format
        self.file = file
    }

    /// The beginning of a sentence about it.
    package var name: String { file.map { "the report \($0)" } ?? "the report on standard output" }
}
