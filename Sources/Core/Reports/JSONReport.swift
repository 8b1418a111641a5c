import Diagnosis
import Evidence
package import FoundationEssentials

/// The report for programs (`--json`). `schema` rises when a key changes its meaning or goes; new keys may come at any time.
package struct JSONReport: Encodable, Sendable {
    package static let schemaVersion = 2

    let schema = JSONReport.schemaVersion
    let tool = "ipv6check"
    /// `passes`, `passes-here-only`, `flaky`, `fails-here`, `fails-here-runs-there`, `fails-uncompared`, `fails-everywhere` or
    /// `times-out`.
    let verdict: String
    let exitCode: Int32
    let command: [String]
    let pref64: String?
    let links: LinksRecord
    /// Whether the client passes only because of literal synthesis.
    let reliesOnSynthesis: Bool
    let findings: [FindingRecord]
    /// What was met on both networks, if the client fails on both.
    let onBothNetworks: [ObservationRecord]
    /// The run on the chosen network first, then the same once more, the control run and the one without literal synthesis,
    /// where there were such.
    let runs: [RunRecord]
    let notes: [String]

    /// - Parameter exitCode: the one that belongs to the verdict.
    package init(_ report: RunReport, exitCode: Int32) {
        verdict = report.verdict.judgement.jsonName
        self.exitCode = exitCode
        command = report.command
        pref64 = report.pref64
        links = LinksRecord(report.links)
        reliesOnSynthesis = report.verdict.reliesOnSynthesis
        findings = report.verdict.findings.map(FindingRecord.init)
        onBothNetworks = report.verdict.onBothNetworks.map(ObservationRecord.init)
        runs = [
            RunRecord(report.runs.first, as: "first"), report.runs.again.map { RunRecord($0, as: "again") },
            report.runs.control.map { RunRecord($0, as: "control") },
            report.runs.withoutSynthesis.map { RunRecord($0, as: "without-synthesis") },
        ].compactMap(\.self)
        notes = report.notes
    }

    /// UTF-8 text, indented, keys in alphabetical order, with a final newline.
    package func encoded() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self) + Data([UInt8(ascii: "\n")])
    }
}

extension Judgement {
    fileprivate var jsonName: String {
        switch self {
        case .passes: "passes"
        case .passesHereOnly: "passes-here-only"
        case .flaky: "flaky"
        case .failsHere: "fails-here"
        case .failsHereRunsThere: "fails-here-runs-there"
        case .failsUncompared: "fails-uncompared"
        case .failsEverywhere: "fails-everywhere"
        case .timesOut: "times-out"
        }
    }
}

struct LinksRecord: Encodable, Sendable {
    let clientMTU: Int
    let worldMTU: Int
    let faults: [String]

    init(_ links: LinkConditions) {
        clientMTU = links.clientMTU
        worldMTU = links.worldMTU
        faults = links.faults
    }
}
