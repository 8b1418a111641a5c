// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials
package import Suites
import Text

/// The results of a suite in JSON (`--json`): one document with everything.
package struct SuiteJSONReport: Encodable {
    private let schema = ResultHeader.schemaVersion
    private let tool = "ipv6check"
    private let version = ProgramVersion.current
    private let suite: String
    private let file: String
    private let digest: String
    private let shard: String?
    private let timestamp: String
    private let host: String
    private let seconds: Double
    private let exitCode: Int32
    /// Number of cases by outcome, without zeros.
    private let totals: [String: Int]
    private let cases: [CaseResult]
    private let gone: [String]

    package init(_ results: SuiteResults, exitCode: Int32) {
        suite = results.header.suite
        file = results.header.file
        digest = results.header.digest
        shard = results.header.shard
        timestamp = results.header.timestamp
        host = results.header.host
        seconds = results.seconds
        self.exitCode = exitCode
        totals = Dictionary(results.cases.map { ($0.outcome.rawValue, 1) }, uniquingKeysWith: +)
        cases = results.cases
        gone = results.gone
    }

    package func encoded() throws -> Data { try encodedForPeople(self) }
}
