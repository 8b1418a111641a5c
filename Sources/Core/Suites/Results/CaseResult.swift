import Evidence

/// How a case ended, as results have it: everything that a report format shows.
package struct CaseResult: Codable, Hashable, Sendable {
    /// One run of the client.
    package struct Run: Codable, Hashable, Sendable {
        /// `first`, `again` or `control`
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
        /// What the client does: the rest of a sentence that begins with "It".
        package var title: String
        package var program: String
        package var target: String
        package var text: String
        package var state: State

        package init(rule: String, title: String, program: String, target: String, text: String, state: State) {
            self.rule = rule
            self.title = title
            self.program = program
            self.target = target
            self.text = text
            self.state = state
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
        /// Why, in a line; empty where there is nothing to say.
        package var message: String
        /// What the runner says about a failure.
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
    package var network: String
    /// Of the test in the suite file.
    package var line: Int
    package var outcome: CaseOutcome
    /// Of all runs together.
    package var seconds: Double
    /// Why, in a line; empty where there is nothing to say.
    package var message = ""
    /// The rule that the outcome is about.
    package var rule: String?
    package var runs: [Run] = []
    package var findings: [Finding] = []
    /// The last day of the known failure that the outcome is about.
    package var until: String?
    /// What wants to be dealt with before it changes the outcome, a sentence each.
    package var warnings: [String] = []
    /// Things to know that do not change the outcome, a sentence each.
    package var notes: [String] = []
    /// What a person reads about it; empty where there is nothing to explain.
    package var report = ""
    /// The end of what the first run printed, of cases that are not as they should be.
    package var output = ""
    package var errors = ""
    /// Of a test runner, in the order of its report.
    package var inner: [Inner] = []
    /// Of an `error`: the exit code that it stands for.
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
            id: element.id, test: element.test.name, network: element.network.rawValue, line: element.test.line,
            outcome: outcome, seconds: seconds, message: message)
    }
}
