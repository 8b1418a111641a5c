// SPDX-License-Identifier: Apache-2.0
import Evidence
import Topology

/// A line of a results file, in the order of events. A file without an `end` is of an interrupted run.
package enum ResultEvent: Hashable, Sendable {
    case begin(ResultHeader)
    case start(String)
    case result(CaseResult)
    case end(ResultFooter)
}

/// The subject of a results file.
package struct ResultHeader: Codable, Hashable, Sendable {
    package static let schemaVersion = 1

    /// A selected case of any shard.
    package struct Case: Codable, Hashable, Sendable {
        package var id: String
        package var test: String
        package var network: String
        package var line: Int
        /// The test's tags; absent if it has none.
        package var tags: [String]?
        /// Why it must fail; absent if it must work.
        package var fails: String?

        package init(_ element: SuiteCase) {
            (id, test, network, line) = (
                element.id, element.test.name, element.network.description, element.test.line
            )
            tags = element.test.tags.isEmpty ? nil : element.test.tags
            fails = element.test.fails.first { $0.networks.contains(element.network) }?.reason
        }
    }

    package var schema = schemaVersion
    package var suite: String
    /// The suite file, as the user named it.
    package var file: String
    /// `sha256:…` of the suite file.
    package var digest: String
    /// `1/4`; absent without shards.
    package var shard: String?
    /// `sha256:…` of the timings that decided the shards; absent without timings.
    package var timings: String?
    /// RFC 3339, UTC.
    package var timestamp: String
    package var host: String
    /// The command line of ipv6check, and the programs that it ran; absent in older files.
    package var invocation: [String]?
    package var programs: [TestedProgram]?
    package var cases: [Case]

    package init(
        suite: String, file: String, digest: String, shard: Shard?, timings: String? = nil, timestamp: String,
        host: String, invocation: [String]? = nil, programs: [TestedProgram]? = nil, cases: [SuiteCase]
    ) {
        self.suite = suite
        self.file = file
        self.digest = digest
        self.shard = shard?.description
        self.timings = timings
        self.timestamp = timestamp
        self.host = host
        self.invocation = invocation
        self.programs = programs
        self.cases = cases.map(Case.init)
    }
}

/// The program at the beginning of a test's command.
package struct TestedProgram: Codable, Hashable, Sendable {
    package var path: String
    /// `sha256:…` of the file, which identifies the version.
    package var digest: String

    package init(path: String, digest: String) {
        self.path = path
        self.digest = digest
    }
}

/// Facts that are known at the end.
package struct ResultFooter: Codable, Hashable, Sendable {
    package var exitCode: Int32
    package var seconds: Double
    /// The signal that ended the suite before its cases ended.
    package var signal: Int32?
    /// Entries of the baseline that no run met any more, a line each; absent if there are none.
    package var gone: [String]?

    package init(exitCode: Int32, seconds: Double, signal: Int32? = nil, gone: [String] = []) {
        self.gone = gone.isEmpty ? nil : gone
        self.exitCode = exitCode
        self.seconds = seconds
        self.signal = signal
    }
}
