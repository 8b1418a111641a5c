// SPDX-License-Identifier: Apache-2.0
/// A test of a client that is itself a test runner, as reported by it.
package struct InnerTest: Codable, Hashable, Sendable {
    package enum Outcome: String, Codable, Hashable, Sendable {
        case passed
        case failed
        case skipped
    }

    /// The class, package or test that it belongs to; may be empty.
    package var group: String
    package var name: String
    package var outcome: Outcome
    package var seconds: Double
    /// The reason, in one line; may be empty.
    package var message: String
    /// The beginning of the runner's text about a failure.
    package var detail: String

    package init(
        group: String = "", name: String, _ outcome: Outcome, seconds: Double = 0, message: String = "",
        detail: String = ""
    ) {
        self.group = group
        self.name = name
        self.outcome = outcome
        self.seconds = seconds
        self.message = message
        self.detail = detail
    }

    /// The same in every run: `tests.test_shop.test_login`.
    package var id: String { group.isEmpty ? name : "\(group).\(name)" }
}

/// The results that a test runner reported.
package struct InnerResults: Codable, Hashable, Sendable {
    /// In the order of the report; each with a unique id.
    package var tests: [InnerTest]
    /// Why the tests may be incomplete or missing: the rest of a sentence that begins with the report's name.
    package var problem: String?
    /// Whether the problem is that the runner took results of an earlier run from its cache: they are not about this run.
    package var isFromCache: Bool

    package init(tests: [InnerTest] = [], problem: String? = nil, isFromCache: Bool = false) {
        self.tests = tests
        self.problem = problem
        self.isFromCache = isFromCache
    }

    package var failed: Int { tests.count { $0.outcome == .failed } }
}
