// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Text

/// The survey in JSON: the report of each network, as for `--network`.
struct SurveyDocument: Encodable, Sendable {
    let schema = JSONReport.schemaVersion
    let tool = "ipv6check"
    let version = ProgramVersion.current
    let exitCode: Int32
    let command: [String]
    let networks: [NetworkRecord]

    /// A network, and the client's report on it.
    struct NetworkRecord: Encodable, Sendable {
        let network: String
        let report: JSONDocument
    }

    /// - Parameter limit: maximum entries of each list.
    init(_ report: SurveyReport, limit: Int) {
        exitCode = report.exitCode
        command = report.command
        networks = report.rows.map {
            NetworkRecord(
                network: $0.network, report: JSONDocument($0.report, exitCode: $0.exitCode, limit: limit))
        }
    }
}
