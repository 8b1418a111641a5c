// SPDX-License-Identifier: Apache-2.0
import Diagnosis
import Evidence
package import FoundationEssentials
import Text

/// The report in JSON (`--json`).
package struct JSONReport: Sendable {
    package static let schemaVersion = 2

    /// Maximum size of a report in octets, unless its findings alone are larger.
    static let sizeLimit = 4_000_000
    /// Maximum number of entries of each list, and the number at which shortening stops.
    private static let entries = (maximum: 1024, minimum: 16)

    private enum Subject {
        case network(RunReport, exitCode: Int32)
        case survey(SurveyReport)
    }

    private let subject: Subject

    /// - Parameter exitCode: the verdict's exit status.
    package init(_ report: RunReport, exitCode: Int32) { subject = .network(report, exitCode: exitCode) }

    package init(_ report: SurveyReport) { subject = .survey(report) }

    /// UTF-8 text, indented, keys in alphabetical order, with a final newline. If there is too much evidence, lists are cut, and the number
    /// of entries left out is given.
    package func encoded() throws -> Data {
        var limit = Self.entries.maximum
        while true {
            let text =
                switch subject {
                case .network(let report, let exitCode):
                    try encodedForPeople(JSONDocument(report, exitCode: exitCode, limit: limit))
                case .survey(let report): try encodedForPeople(SurveyDocument(report, limit: limit))
                }
            if text.count <= Self.sizeLimit || limit <= Self.entries.minimum { return text }
            limit /= 2
        }
    }
}

/// The object. `schema` increases when a key changes its meaning or is removed; new keys may appear at any time.
struct JSONDocument: Encodable, Sendable {
    let schema = JSONReport.schemaVersion
    let tool = "ipv6check"
    let version = ProgramVersion.current
    /// `passes`, `passes-here-only`, `flaky`, `fails-here`, `fails-here-runs-there`, `fails-uncompared`, `fails-everywhere`,
    /// `times-out` or `not-judged`.
    let verdict: String
    let exitCode: Int32
    let command: [String]
    let pref64: String?
    let links: LinksRecord
    /// Absent in a hermetic world, and if a daemon decided.
    let uplink: UplinkRecord?
    /// Whether the client passes only because of literal synthesis.
    let reliesOnSynthesis: Bool
    let findings: [FindingRecord]
    /// Observations made on both networks, if the client fails on both.
    let onBothNetworks: [ObservationRecord]
    /// The run on the chosen network, then the second run, the control run, the one after it and the one without literal synthesis, as far
    /// as there were such; last, traced runs that decide nothing.
    let runs: [RunRecord]
    /// The hosts that the client named or connected to.
    let hosts: [HostRecord]
    let notes: [String]

    /// - Parameter limit: maximum entries of each list.
    init(_ report: RunReport, exitCode: Int32, limit: Int) {
        verdict = report.verdict.judgement.jsonName
        self.exitCode = exitCode
        command = report.command
        pref64 = report.pref64
        links = LinksRecord(report.links)
        uplink = report.hostNetwork.map(UplinkRecord.init)
        reliesOnSynthesis = report.verdict.reliesOnSynthesis
        let origins = KnownOrigins(report.runs)
        findings = report.verdict.findings.map { FindingRecord($0, origins: origins, limit: limit) }
        onBothNetworks = report.verdict.onBothNetworks.prefix(limit).map { ObservationRecord($0, origins: origins) }
        runs = report.runs.roles.map { RunRecord($0.run, as: $0.role, limit: limit) }
        hosts = report.hosts.prefix(limit).map { HostRecord($0, limit: limit) }
        notes = (report.unexplained.map { [$0] } ?? []) + report.sentences
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
        case .notJudged: "not-judged"
        }
    }
}

/// The real network behind the NAT64.
struct UplinkRecord: Encodable, Sendable {
    let network = "host"
    /// Whether clients have IPv6 there.
    let ipv6: Bool

    init(_ network: HostNetwork) { ipv6 = network.hasIPv6 }
}

struct LinksRecord: Encodable, Sendable {
    let clientMTU: Int
    let worldMTU: Int
    let faults: [String]
    let setup: String?

    init(_ links: LinkConditions) {
        setup = links.setup
        clientMTU = links.clientMTU
        worldMTU = links.worldMTU
        faults = links.faults + links.nat64
    }
}
