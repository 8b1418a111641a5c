// SPDX-License-Identifier: Apache-2.0
package import Diagnosis
package import Evidence

/// A test's expectations of its client.
package struct Expectations: Hashable, Sendable {
    /// The exit status; `nil` for any end.
    package var exit: Int32?
    package var output: [TextExpectation]
    package var errors: [TextExpectation]
    /// Maximum factor of the time on dual-stack; `nil` if it is not compared.
    package var slowness: Double?
    /// Maximum number of IPv4 attempts on a network that has IPv4; `nil` for any number.
    package var ipv4Attempts: Int?
    /// The far ends that it must reach.
    package var flows: [FlowExpectation] = []
    /// For a listener: the families by which clients of other machines must reach it.
    package var listens: [ListenFamily] = []
    /// For a listener: its output.
    package var log: [TextExpectation] = []

    package init(exit: Int32? = 0, output: [TextExpectation] = [], errors: [TextExpectation] = []) {
        self.exit = exit
        self.output = output
        self.errors = errors
    }

    /// The expectations of texts, each with its text of a run.
    package func texts(
        of printed: ClientOutput, _ server: ServerEvidence?
    ) -> [(expectation: TextExpectation, text: CapturedText)] {
        var texts: [(expectation: TextExpectation, text: CapturedText)] = output.map { ($0, printed.output) }
        texts += errors.map { ($0, printed.errors) }
        guard let server else { return texts }
        texts += log.map { ($0, CapturedText(server.log)) }
        for answer in server.probes {
            switch answer.result {
            case .http(_, let text), .command(_, let text):
                texts += answer.probe.body.map { ($0, CapturedText(text)) }
            case .ledAway, .connected, .closed, .refused, .timedOut, .failed, .unsent: break
            }
        }
        return texts
    }

    /// The expectations that a listener does not meet.
    func broken(by server: ServerEvidence, isControl: Bool) -> [BrokenExpectation] {
        if let failure = server.failure { return [.server(failure)] }
        var broken = server.probes.filter { !$0.isAsExpected }
            .map { BrokenExpectation.probe($0, listeners: server.listeners) }
        if isControl { return broken }
        for family in listens where !server.listeners.contains(where: { $0.takes(family) }) {
            broken.append(.listens(family, listeners: server.listeners))
        }
        return broken + log.filter { !$0.isMet(by: CapturedText(server.log)) }.map { .log($0) }
    }

    /// The expectations that a run does not meet.
    package func broken(by run: RunEvidence, _ printed: ClientOutput, isControl: Bool = false) -> [BrokenExpectation] {
        let end = run.end
        var broken: [BrokenExpectation] = []
        if let exit, end != .exited(status: exit) { broken.append(.end(end, expected: exit)) }
        let lost = run.seen.lost
        if !run.canaries.isEmpty, lost.flows + lost.connections > 0 || lost.path {
            broken.append(.report("the record of its connections", problem: "is not complete: there were too many"))
        }
        broken += run.canaryContacts.filter(\.isHit).prefix(1).map { .letThrough($0) }
        broken += output.filter { !$0.isMet(by: printed.output) }.map { .text(.output, $0) }
        broken += errors.filter { !$0.isMet(by: printed.errors) }.map { .text(.errors, $0) }
        broken += flows.filter { !$0.isMet(by: run) }.map { .flow($0) }
        if let limit = ipv4Attempts, !isControl {
            let count = run.seen.ipv4Attempts
            if count > limit { broken.append(.ipv4Attempts(count, limit: limit)) }
        }
        return broken
    }
}

/// An expectation that a run does not meet.
package enum BrokenExpectation: Hashable, Sendable {
    case end(ExitOutcome, expected: Int32)
    case text(Stream, TextExpectation)
    /// A report of inner tests that cannot be read completely: its name, and the problem.
    case report(String, problem: String)
    /// The number of inner tests that fail.
    case innerTests(failed: Int, of: Int)
    case flow(FlowExpectation)
    case ipv4Attempts(Int, limit: Int)
    /// It connected to a private address.
    case letThrough(CanaryContact)
    /// Its duration here, and its duration on dual-stack.
    case slower(Duration, than: Duration, limit: Double)
    /// The server under test did not become ready.
    case server(String)
    case probe(ProbeAnswer, listeners: [Listener])
    case listens(ListenFamily, listeners: [Listener])
    case log(TextExpectation)

    package enum Stream: String, Hashable, Sendable {
        case output = "stdout"
        case errors = "stderr"
    }
}

/// An expectation of a client's standard output or error.
package enum TextExpectation: Codable, Hashable, Sendable {
    case contains(String)
    /// A final line break is ignored.
    case equals(String)
    /// A regular expression that matches some part.
    case matches(String)
    /// A JSON document with this value at this path.
    case json(path: String, value: String)
    /// The contents of the file at this path; a final line break is ignored.
    case file(String, contents: String)

    /// The regular expression; `nil` if this is none.
    package var pattern: String? {
        if case .matches(let pattern) = self { pattern } else { nil }
    }

    package func isMet(by text: CapturedText) -> Bool {
        switch self {
        case .contains(let part): part.isEmpty || text.start.contains(part)
        case .equals(let whole): text.omitted == 0 && withoutFinalBreak(text.start) == withoutFinalBreak(whole)
        case .file(_, let contents): text.omitted == 0 && withoutFinalBreak(text.start) == withoutFinalBreak(contents)
        case .json(let path, let value): text.omitted == 0 && JSONPath(path)?.value(in: text.start) == value
        case .matches(let pattern): (try? Regex(pattern).firstMatch(in: text.start)) != nil
        }
    }
}

private func withoutFinalBreak(_ text: String) -> Substring { text.hasSuffix("\n") ? text.dropLast() : text[...] }

/// A client's output, as far as it is kept.
package struct ClientOutput: Hashable, Sendable {
    package var output: CapturedText
    package var errors: CapturedText

    package init(output: CapturedText = CapturedText(), errors: CapturedText = CapturedText()) {
        self.output = output
        self.errors = errors
    }
}

/// The start of a stream, and its end if the start does not contain that.
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

    /// The end of the stream, at most `limit` octets.
    package func last(_ limit: Int) -> String {
        let known = omitted == 0 ? start + end : end
        return String(decoding: known.utf8.suffix(limit), as: UTF8.self)
    }
}
