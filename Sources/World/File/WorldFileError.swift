/// What is wrong with a world file: all of it that one reading can tell, in the order of the file.
public struct WorldFileError: Error, Equatable, Sendable {
    /// One mistake. The message says what would be right.
    public struct Problem: Hashable, Sendable {
        /// Nil where the file as a whole is meant.
        public let position: SourcePosition?
        public let message: String
    }

    /// The file as the user called it.
    public let file: String
    public let problems: [Problem]

    init(file: String, problems: [Problem]) {
        self.file = file
        self.problems = problems
    }

    init(file: String, _ message: String, at position: SourcePosition? = nil) {
        self.init(file: file, problems: [Problem(position: position, message: message)])
    }
}

extension WorldFileError: CustomStringConvertible {
    /// One line a problem: `world.yaml:4:5: message`.
    public var description: String {
        problems.map { problem in
            let place = problem.position.map { ":\($0.line):\($0.column)" } ?? ""
            return "\(file)\(place): \(problem.message)"
        }.joined(separator: "\n")
    }
}
