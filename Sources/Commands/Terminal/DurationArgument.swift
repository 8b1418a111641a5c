// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Text

/// A time on the command line: `90`, `1.5`, `250ms`, `90s`, `5m` or `2h`.
package struct WrittenDuration: ExpressibleByArgument, CustomStringConvertible, Sendable {
    /// The duration as help shows it.
    package let description: String
    package let duration: Duration

    package static let oneMinute = WrittenDuration(description: "60s", duration: .seconds(60))

    private init(description: String, duration: Duration) {
        self.description = description
        self.duration = duration
    }

    package init?(argument: String) {
        guard let duration = Duration(written: argument) else { return nil }
        self.init(description: argument, duration: duration)
    }

    /// A duration within a range, for an option that does not accept every one; the error names the range.
    package static func within(
        _ range: ClosedRange<Duration>, said: String
    ) -> @Sendable (String) throws -> WrittenDuration {
        { text in
            guard let duration = Duration(written: text, in: range) else {
                throw ValidationError("give a time \(said), such as 30, 1.5, 250ms, 5m or 2h")
            }
            return WrittenDuration(description: text, duration: duration)
        }
    }
}
