// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Text

/// The same for programs: the report of each network, as `--network` has it.
struct SurveyDocument: Encodable, Sendable {
    let schema = JSONReport.schemaVersion
    let tool = "ipv6check"
    let version = ProgramVersion.current
    let exitCode: Int32
    let command: [String]
    let networks: [NetworkRecord]

    /// A network, and what the client did there.
    struct NetworkRecord: Encodable, Sendable {
        let network: String
        let report: JSONDocument
    }

    /// - Parameter limit: entries of each list.
    init(_ report: SurveyReport, limit: Int) {
        exitCode = report.exitCode
        command = report.command
        networks = report.rows.map {
            NetworkRecord(
                network: $0.network, report: JSONDocument($0.report, exitCode: $0.exitCode, limit: limit))
        }
    }
}
