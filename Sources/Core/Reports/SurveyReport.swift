// SPDX-License-Identifier: Apache-2.0
import Diagnosis
import Evidence
package import Topology

/// A client on several networks.
package struct SurveyReport: Sendable {
    package var command: [String]
    package var rows: [SurveyRow]
    /// The exit status of the worst network.
    package var exitCode: Int32

    package init(command: [String], rows: [SurveyRow], exitCode: Int32) {
        self.command = command
        self.rows = rows
        self.exitCode = exitCode
    }

    /// The networks on which the client does not work.
    var failing: [SurveyRow] { rows.filter { $0.exitCode != 0 } }
}

/// The client's result on one of the networks.
package struct SurveyRow: Sendable {
    var report: RunReport
    /// The network as the user wrote it.
    var network: String
    package var exitCode: Int32

    package init(_ report: RunReport, on network: NetworkSchedule, exitCode: Int32) {
        self.report = report
        self.network = network.description
        self.exitCode = exitCode
    }

    /// The first finding: the most severe, and of those the most likely.
    var finding: Finding? { report.verdict.findings.first }
}
