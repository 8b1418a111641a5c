// SPDX-License-Identifier: Apache-2.0
import Evidence
import Topology

/// The outcome of a case in results: everything that a report format shows.
package struct CaseResult: Codable, Hashable, Sendable {
    /// One run of the client.
    package struct Run: Codable, Hashable, Sendable {
        /// `first`, `again`, `control`, `later`, or `traced` if it decides nothing
        package var role: String
        package var network: String
        /// `exit 7`
        package var end: String
        package var seconds: Double
        package var isAsExpected: Bool

        package init(role: String, network: String, end: String, seconds: Double, isAsExpected: Bool) {
            self.role = role
            self.network = network
            self.end = end
            self.seconds = seconds
            self.isAsExpected = isAsExpected
        }
    }

    /// A dependency that was met.
    package struct Finding: Codable, Hashable, Sendable {
        package enum State: String, Codable, Sendable {
            case new
            case known
            case baseline
        }

        package var rule: String
        /// The client's behaviour: the rest of a sentence that begins with "It".
        package var title: String
        package var program: String
        package var target: String
        package var text: String
        package var state: State
        /// `error`, `warning`, `note`
        package var severity: String
        /// Why it is accepted, if it is known.
        package var reason: String?
        /// How to fix it.
        package var advice: String?
        /// The call in the client's source, if its line is known.
        package var location: CodeLocation?
        /// The origin of the address, if it is known.
        package var origin: OriginLocation?

        package init(
            rule: String, title: String, program: String, target: String, text: String, state: State,
            severity: String = "error", reason: String? = nil, advice: String? = nil, location: CodeLocation? = nil,
            origin: OriginLocation? = nil
        ) {
            self.advice = advice
            self.location = location
            self.origin = origin
            self.severity = severity
            self.reason = reason
            self.rule = rule
            self.title = title
            self.program = program
            self.target = target
            self.text = text
            self.state = state
        }
    }

    /// A row of the time line: a look-up, a connection, a request, a failed call or a process.
    package struct Step: Codable, Hashable, Sendable {
        /// Seconds since the client was connected; `nil` if the time is not known.
        package var at: Double?
        /// When it ended; `nil` if it took no time, or the end is not known.
        package var until: Double?
        /// `dns`, `flow`, `request`, `call` or `process`
        package var kind: String
        package var text: String
        /// Whether it failed; `nil` if it neither failed nor succeeded.
        package var failed: Bool?
        /// The rules with findings about it; `nil` if there are none.
        package var rules: [String]?

        package init(
            at: Double?, until: Double? = nil, kind: String, text: String, failed: Bool? = nil, rules: [String]? = nil
        ) {
            self.at = at
            self.until = until
            self.kind = kind
            self.text = text
            self.failed = failed
            self.rules = rules
        }
    }

    /// A line of the report: a label and its text.
    package struct Fact: Codable, Hashable, Sendable {
        /// Empty if the line continues the one before.
        package var label: String
        package var text: String

        package init(label: String, text: String) {
            self.label = label
            self.text = text
        }
    }

    /// The control run's output, for a comparison with the first run's.
    package struct Control: Codable, Hashable, Sendable {
        package var output: String
        package var errors: String
        package var timeline: [Step]

        package init(output: String, errors: String, timeline: [Step]) {
            self.output = output
            self.errors = errors
            self.timeline = timeline
        }
    }

    /// A test of a client that is a test runner.
    package struct Inner: Codable, Hashable, Sendable {
        /// `integration/tests.test_shop.test_login@nat64`
        package var id: String
        /// `tests.test_shop`; may be empty.
        package var group: String
        /// `test_login`
        package var name: String
        package var outcome: CaseOutcome
        package var seconds: Double
        /// The reason, in one line; may be empty.
        package var message: String
        /// The runner's text about a failure.
        package var detail: String

        package init(
            id: String, group: String, name: String, outcome: CaseOutcome, seconds: Double, message: String,
            detail: String
        ) {
            self.id = id
            self.group = group
            self.name = name
            self.outcome = outcome
            self.seconds = seconds
            self.message = message
            self.detail = detail
        }
    }

    /// `fetch@nat64`
    package var id: String
    package var test: String
    /// As it is written: `nat64`, `dual-stack 5s, none 1s, nat64`.
    package var network: String
    /// The line of the test in the suite file.
    package var line: Int
    package var outcome: CaseOutcome
    /// Whether it is red, if the user's choice overrides its outcome.
    package var redByChoice: Bool?
    /// Number of rounds, if more than one.
    package var tries: Int?
    /// The time of all runs together.
    package var seconds: Double
    /// The reason, in one line; may be empty.
    package var message = ""
    /// The rule behind the outcome.
    package var rule: String?
    package var runs: [Run] = []
    package var findings: [Finding] = []
    /// The last day of the known failure behind the outcome.
    package var until: String?
    /// Problems that will change the outcome if they are not fixed, a sentence each.
    package var warnings: [String] = []
    /// Facts that do not change the outcome, a sentence each.
    package var notes: [String] = []
    /// The report for a person; empty if there is nothing to explain.
    package var report = ""
    /// The end of the first run's output, for cases that are not as expected.
    package var output = ""
    package var errors = ""
    /// For a run on this network: the traced one if there is one, otherwise the first.
    package var timeline: [Step] = []
    /// The role of that run; `nil` for the first.
    package var timelineRole: String?
    /// The report's facts beside findings and time lines: first causes without a rule, then the others; absent if there are none.
    package var reasons: [Fact]?
    package var details: [Fact]?
    package var control: Control?
    /// For a test runner, in the order of its report.
    package var inner: [Inner] = []
    /// For an `error`, the exit code that results from it.
    package var code: Int32?

    package init(
        id: String, test: String, network: String, line: Int, outcome: CaseOutcome, seconds: Double,
        message: String = ""
    ) {
        self.id = id
        self.test = test
        self.network = network
        self.line = line
        self.outcome = outcome
        self.seconds = seconds
        self.message = message
    }

    package init(_ element: SuiteCase, _ outcome: CaseOutcome, seconds: Double = 0, message: String = "") {
        self.init(
            id: element.id, test: element.test.name, network: element.network.description, line: element.test.line,
            outcome: outcome, seconds: seconds, message: message)
    }
}

extension CaseResult {
    /// Whether it fails the suite.
    package var isRed: Bool { redByChoice ?? outcome.isRed }

    /// Applies the choices of the suite and the command line about leaks, flaky cases and fixed failures.
    package mutating func choose(as test: SuiteTest, allowsFixed: Bool) {
        switch outcome {
        case .leak where test.failsOnLeak, .flaky where test.failsIfFlaky: redByChoice = true
        case .fixed where allowsFixed: redByChoice = false
        default: redByChoice = nil
        }
    }
}
