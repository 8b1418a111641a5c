// SPDX-License-Identifier: Apache-2.0
package import Reports
package import Suites

/// The user's options as read from the command line.
package struct SuiteOptions {
    package var selection = CaseSelection()
    /// `nil` is one more than the machine has cores.
    package var jobs: Int?
    /// Number of red cases after which no further case starts; `nil` is no limit.
    package var failureLimit: Int?
    package var shard: Shard?
    /// The daemon to use, `unix:PATH` of its attach socket; `nil` is the value of IPV6CHECK_SIMULATOR, or without that a simulator for each
    /// case.
    package var simulator: String?
    /// Results by which the shards are divided; `nil` divides them by the names of the tests.
    package var timings: String?
    /// Results of an earlier run: only its red cases are run.
    package var rerun: String?
    /// Overrides the tests' own values.
    package var retries: Int?
    package var timeout: Duration?
    /// Number of runs of each case.
    package var repeats = 1
    /// Maximum time of the suite; `nil` is no limit.
    package var suiteTimeout: Duration?
    /// Whether a known failure that no longer occurs is accepted.
    package var allowsFixed = false
    /// The day by which known failures are judged; `nil` is the machine's, in UTC.
    package var today: Day?
    package var baseline = BaselineChoice()
    /// Folder in which the cases' files stay; `nil` if they are deleted.
    package var output: String?
    package var reports = ReportPaths()
    package var annotations = AnnotationChoice.auto
    package var colour = ColourChoice.auto
    /// Whether cases that pass are not shown, and only a few of many red ones in detail.
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

/// The use of the baseline.
package struct BaselineChoice: Hashable, Sendable {
    package enum Action: String, Sendable, CaseIterable {
        /// Adds new entries.
        case update
        /// Removes entries that are gone.
        case prune
        /// Uses no baseline.
        case none
    }

    /// As the user gave it; `nil` is the suite's.
    package var path: String?
    /// `nil` only reads it.
    package var action: Action?

    package init(path: String? = nil, action: Action? = nil) {
        self.path = path
        self.action = action
    }
}

/// The destinations of the results.
package struct ReportPaths: Hashable, Sendable {
    /// A format that is written as a whole, at the end. Its name is that of the option.
    package enum Format: String, CaseIterable, Sendable {
        case junit
        case tap
        case json
        /// Markdown, appended to the file.
        case summary
        case sarif
        /// GitLab's Code Quality.
        case codequality
        case html
        /// The statement that buyers ask for, in the format of the file name's extension.
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
