// SPDX-License-Identifier: Apache-2.0
package import Reports
package import Suites

/// What the user asked for, as read from the command line.
package struct SuiteOptions {
    package var selection = CaseSelection()
    /// `nil` is one more than the machine has cores.
    package var jobs: Int?
    /// Red cases after which no further one starts; `nil` is no limit.
    package var failureLimit: Int?
    package var shard: Shard?
    /// The daemon to use, `unix:PATH` of its attach socket; `nil` is what IPV6CHECK_SIMULATOR says, and then a simulator for each case.
    package var simulator: String?
    /// Results by which the shards are cut; `nil` cuts them by the names of the tests.
    package var timings: String?
    /// Results of which only what was red is run.
    package var rerun: String?
    /// Instead of what the tests say.
    package var retries: Int?
    package var timeout: Duration?
    /// How often each case runs.
    package var repeats = 1
    /// After which nothing goes on; `nil` is no limit.
    package var suiteTimeout: Duration?
    /// Whether a known failure that does not occur is no matter.
    package var allowsFixed = false
    /// The day by which known failures are judged; `nil` is the machine's, in UTC.
    package var today: Day?
    package var baseline = BaselineChoice()
    /// Where the files of the cases stay; `nil` if they go.
    package var output: String?
    package var reports = ReportPaths()
    package var annotations = AnnotationChoice.auto
    package var colour = ColourChoice.auto
    /// Whether of cases that pass nothing is said, and of many red ones the details of a few.
    package var isBrief = false

    package init() {}
}

/// Whether GitHub shows the red cases at the lines of the suite file.
package enum AnnotationChoice: String, Sendable, CaseIterable {
    /// In a job of GitHub Actions.
    case auto
    case always
    case never
}

/// What is to be done with the baseline.
package struct BaselineChoice: Hashable, Sendable {
    package enum Action: String, Sendable, CaseIterable {
        /// Adds what is new.
        case update
        /// Removes what is gone.
        case prune
        /// Uses none.
        case none
    }

    /// As the user wrote it; `nil` is the suite's.
    package var path: String?
    /// `nil` only reads it.
    package var action: Action?

    package init(path: String? = nil, action: Action? = nil) {
        self.path = path
        self.action = action
    }
}

/// Where the results go.
package struct ReportPaths: Hashable, Sendable {
    /// A format that is written whole, when all is over. Its name is that of the option.
    package enum Format: String, CaseIterable, Sendable {
        case junit
        case tap
        case json
        /// Markdown, added to what is in the file.
        case summary
        case sarif
        /// GitLab's Code Quality.
        case codequality
        case html
        /// What buyers ask, in the form that the file's name ends in.
        case statement
    }

    /// The file of events.
    package var results: String?
    package var documents: [Format: String]

    package init(results: String? = nil, documents: [Format: String] = [:]) {
        self.results = results
        self.documents = documents
    }
}
