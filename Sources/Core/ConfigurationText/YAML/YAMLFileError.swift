// SPDX-License-Identifier: Apache-2.0
/// The mistakes in a file: all that one reading can find, in the order of the file.
package struct YAMLFileError: Error, Equatable, Sendable {
    /// One mistake. The message contains the correction.
    package struct Problem: Hashable, Sendable {
        /// `nil` if it concerns the whole file.
        package let position: SourcePosition?
        package let message: String

        package init(position: SourcePosition?, message: String) {
            self.position = position
            self.message = message
        }
    }

    /// The file's name as the user gave it.
    package let file: String
    package let problems: [Problem]

    /// Sorts the problems by position, and keeps no more than a person would read.
    package init(file: String, problems: [Problem]) {
        let start = SourcePosition(line: 1, column: 1)
        self.file = file
        self.problems = Array(
            problems.sorted { $0.position ?? start < $1.position ?? start }.prefix(maximumProblems))
    }

    package init(file: String, _ message: String, at position: SourcePosition? = nil) {
        self.init(file: file, problems: [Problem(position: position, message: message)])
    }
}

extension YAMLFileError: CustomStringConvertible {
    /// One line per problem: `world.yaml:4:5: message`.
    package var description: String {
        problems.map { problem in
            let place = problem.position.map { ":\($0.line):\($0.column)" } ?? ""
            return "\(file)\(place): \(problem.message)"
        }.joined(separator: "\n")
    }
}
