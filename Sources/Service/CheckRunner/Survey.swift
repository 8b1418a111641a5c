// SPDX-License-Identifier: Apache-2.0
import Diagnosis
import Evidence
import Reports
package import Sandbox
package import Topology

/// A check of one client on several networks, with one table for all.
///
/// Each network has the runs of `Check`; the control run is made once for all that have the same schedule. The client's output is
/// discarded, as it would come once for each network.
package struct Survey {
    private let networks: [NetworkSchedule]
    private let options: CheckOptions
    private let inheritance: Inheritance

    /// - Parameters:
    ///   - networks: in the order of the table; dual-stack, if it is among them, is the control run.
    ///   - inheritance: what this process inherited from the user's shell, taken at the start of main.
    package init(_ networks: [NetworkSchedule], _ options: CheckOptions, inheritance: Inheritance) {
        self.networks = networks
        self.options = options
        self.inheritance = inheritance
    }

    package func run() throws(CheckFailure) -> ExitCode {
        let json = try ReportFile.prepared(options.jsonFile, option: "--json")
        try CaptureFile.check(options.pcapFile, labels: networks.map(ClientRuns.longestLabel))
        let prepared = try ResolvedOptions(options, inheritance.environment, typed: inheritance.arguments)
        let session = try CheckSession(prepared, inheritance, isLeftAlone: options.isLeftAlone)
        var runs = try ClientRuns(options, inheritance, session)
        // A control run that came first could fill a cache, and the client would then pass for the wrong reason.
        var reports: [NetworkSchedule: RunReport] = [:]
        for network in networks.filter({ $0.network != .dualStack }) + networks.filter({ $0.network == .dualStack }) {
            reports[network] = try runs.onNetwork(network)
        }
        let rows = networks.compactMap { network in
            reports[network].map { report in
                SurveyRow(
                    report, on: network, exitCode: report.verdict.exitCode(failingOn: options.failOn).rawValue)
            }
        }
        let code = rows.compactMap { ExitCode(rawValue: $0.exitCode) }.max { $0.weight < $1.weight } ?? .pass
        let report = SurveyReport(command: options.command, rows: rows, exitCode: code.rawValue)
        if options.verbosity != .quiet || code != .pass {
            let style = Console.style(inheritance.environment, options.colour)
            Console.write(SurveyTable.render(report, style: style, verbose: options.verbosity == .verbose))
        }
        try json?.write { try Array(JSONReport(report).encoded()) }
        session.stop(before: code)
        return code
    }
}

extension ExitCode {
    /// The weight by which one of several codes decides: a client that was not judged must not look judged, and a failure due to the
    /// network counts more than one that is everywhere.
    fileprivate var weight: Int {
        switch self {
        case .pass: 0
        case .failsOnDualStackToo: 1
        case .timeout: 2
        case .failsOnThisNetwork: 3
        case .machineCannot, .nothingToRun, .usage: 4
        }
    }
}
