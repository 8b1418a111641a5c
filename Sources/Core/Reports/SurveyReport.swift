// SPDX-License-Identifier: Apache-2.0
import Diagnosis
import Evidence
package import Topology

/// A client on several networks.
package struct SurveyReport: Sendable {
    package var command: [String]
    package var rows: [SurveyRow]
    /// That of the worst.
    package var exitCode: Int32

    package init(command: [String], rows: [SurveyRow], exitCode: Int32) {
        self.command = command
        self.rows = rows
        self.exitCode = exitCode
    }

    /// Those on which the client does not work.
    var failing: [SurveyRow] { rows.filter { $0.exitCode != 0 } }
}

/// The client on one of the networks.
package struct SurveyRow: Sendable {
    var report: RunReport
    /// As it is written.
    var network: String
    package var exitCode: Int32

    package init(_ report: RunReport, on network: NetworkSchedule, exitCode: Int32) {
        self.report = report
        self.network = network.description
        self.exitCode = exitCode
    }

    /// The heaviest finding, of which the likeliest comes first.
    var finding: Finding? { report.verdict.findings.first }
}
