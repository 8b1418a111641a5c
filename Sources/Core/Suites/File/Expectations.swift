package import Evidence

/// What a test expects of its client.
package struct Expectations: Hashable, Sendable {
    /// The exit status.
    package var exit: Int32
    package var output: [TextExpectation]
    package var errors: [TextExpectation]

    package init(exit: Int32 = 0, output: [TextExpectation] = [], errors: [TextExpectation] = []) {
        self.exit = exit
        self.output = output
        self.errors = errors
    }

    /// What of it a run does not meet.
    package func broken(by end: ClientEnd, _ printed: ClientOutput) -> [BrokenExpectation] {
        var broken: [BrokenExpectation] = []
        if end != .exited(status: exit) { broken.append(.end(end, expected: exit)) }
        broken += output.filter { !$0.isMet(by: printed.output) }.map { .text(.output, $0) }
        broken += errors.filter { !$0.isMet(by: printed.errors) }.map { .text(.errors, $0) }
        return broken
    }
}

/// An expectation that a run does not meet.
package enum BrokenExpectation: Hashable, Sendable {
    case end(ClientEnd, expected: Int32)
    case text(Stream, TextExpectation)

    package enum Stream: String, Hashable, Sendable {
        case output = "stdout"
        case errors = "stderr"
    }
}

/// What a client's standard output or error is to be.
package enum TextExpectation: Hashable, Sendable {
    case contains(String)
    /// A final line break counts for nothing.
    case equals(String)
    /// A regular expression that some part matches.
    case matches(String)

    func isMet(by text: CapturedText) -> Bool {
        switch self {
        case .contains(let part): part.isEmpty || text.start.contains(part)
        case .equals(let whole): text.omitted == 0 && withoutFinalBreak(text.start) == withoutFinalBreak(whole)
        case .matches(let pattern): (try? Regex(pattern).firstMatch(in: text.start)) != nil
        }
    }
}

private func withoutFinalBreak(_ text: String) -> Substring { text.hasSuffix("\n") ? text.dropLast() : text[...] }

/// What a client printed, as much of it as is kept.
package struct ClientOutput: Hashable, Sendable {
    package var output: CapturedText
    package var errors: CapturedText

    package init(output: CapturedText = CapturedText(), errors: CapturedText = CapturedText()) {
        self.output = output
        self.errors = errors
    }
}

/// The start of a stream, and its end where that is not in the start.
package struct CapturedText: Hashable, Sendable {
    package var start: String
    package var end: String
    /// Octets between the two.
    package var omitted: Int

    package init(_ start: String = "", omitted: Int = 0, end: String = "") {
        self.start = start
        self.omitted = omitted
        self.end = end
    }
}
