import Diagnosis
import Evidence
import Wire
package import FoundationEssentials

/// The report for programs (`--json`). `schema` rises when a key changes its meaning or goes; new keys may come at any time.
package struct JSONReport: Encodable, Sendable {
    package static let schemaVersion = 1

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
    /// What was met on both networks, where the client fails on both.
    let onBothNetworks: [String]
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
        onBothNetworks = report.verdict.onBothNetworks
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

extension Refusal.Kind {
    fileprivate var jsonName: String {
        switch self {
        case .background: "background"
        case .routing: "routing"
        case .limit: "limit"
        case .nonGlobal: "non-global"
        case .untranslatable: "untranslatable"
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

struct FindingRecord: Encodable, Sendable {
    let rule: String
    let severity: String
    let title: String
    let evidence: [String]
    let advice: String

    init(_ finding: Finding) {
        rule = finding.rule.id
        severity = finding.rule.severity.rawValue
        title = finding.rule.title
        evidence = finding.evidence
        advice = finding.advice
    }
}

struct RunRecord: Encodable, Sendable {
    /// `first`, `again` (the same once more), `control` or `without-synthesis`.
    let role: String
    let network: String
    /// Whose getaddrinfo the client found.
    let getaddrinfo: String
    /// The client's exit status; absent where it did not exit.
    let exitStatus: Int32?
    /// The signal that killed it; absent where none did.
    let signal: Int32?
    let timedOut: Bool
    let seconds: Double
    let dns: [QuestionRecord]
    let queries: [QueryRecord]
    let omittedQueries: Int
    let flows: [FlowRecord]
    let refusals: [RefusalRecord]
    /// By name; absent on a network without a NAT64.
    let counters: [String: UInt64]?
    let lookups: [LookupRecord]
    /// Programs that the client started and that could not be given this getaddrinfo.
    let uncovered: [UncoveredRecord]
    /// What had outlived the client and was ended with it; absent where nothing had.
    let survivors: SurvivorsRecord?
    /// `client` or `world`; absent where there were none.
    let deletedLinks: [String]?
    let lostObservations: Int

    init(_ run: RunEvidence, as role: String) {
        self.role = role
        network = run.network.rawValue
        getaddrinfo = run.profile.rawValue
        switch run.end {
        case .exited(let status): (exitStatus, signal, timedOut) = (status, nil, false)
        case .killed(let number): (exitStatus, signal, timedOut) = (nil, number, false)
        case .timedOut: (exitStatus, signal, timedOut) = (nil, nil, true)
        }
        seconds = run.duration / .seconds(1)
        dns = run.questions.map(QuestionRecord.init)
        queries = run.queries.queries.map(QueryRecord.init)
        omittedQueries = run.queries.omitted
        flows = run.flows.map { FlowRecord($0, name: run.name(of: $0)) }
        refusals = run.refusals.map(RefusalRecord.init)
        counters =
            run.counters.isEmpty
            ? nil : Dictionary(run.counters.map { ($0.name, $0.count) }, uniquingKeysWith: { first, _ in first })
        lookups = run.lookups.map(LookupRecord.init)
        uncovered = run.uncovered.map(UncoveredRecord.init)
        survivors = run.survivors.processes.isEmpty ? nil : SurvivorsRecord(run.survivors)
        deletedLinks = run.deletedLinks.isEmpty ? nil : run.deletedLinks.map(\.side.rawValue)
        lostObservations = run.lost
    }
}

struct SurvivorsRecord: Encodable, Sendable {
    struct Process: Encodable, Sendable {
        /// As the client sees it.
        let process: Int32
        let name: String
    }

    let processes: [Process]
    /// Those that are not listed.
    let omitted: Int

    init(_ survivors: SurvivingProcesses) {
        processes = survivors.processes.map { Process(process: $0.process, name: $0.name) }
        omitted = survivors.more
    }
}

struct QuestionRecord: Encodable, Sendable {
    let name: String
    let type: String
    let transport: String
    let responseCode: String
    let answers: [String]
    let source: String
    let synthesisedFrom: [String]
    let rule: String
    /// Absent if the rule says enough.
    let reason: String?
    let faults: [String]
    let count: Int

    init(_ question: DNSQuestion) {
        name = question.name
        type = question.type
        transport = question.transport
        responseCode = question.responseCode
        answers = question.answers
        source = question.source
        synthesisedFrom = question.synthesisedFrom
        rule = question.rule
        reason = question.reason
        faults = question.faults
        count = question.count
    }
}

struct FlowRecord: Encodable, Sendable {
    /// Absent where no DNS answer gave the address.
    let name: String?
    let transport: String
    let address: String
    let port: UInt16
    /// The IPv4 address behind the NAT64; absent where the flow was not translated.
    let translatedTo: String?
    let attempts: Int
    let accepted: Int
    let refused: Int
    /// What the last ICMP error about it said; absent where there was none.
    let unreachable: String?
    /// Whether the far end sent the first packet.
    let inbound: Bool
    let bytesSent: UInt64
    let bytesReceived: UInt64

    init(_ flow: Flow, name: String?) {
        self.name = name
        transport = flow.transport.rawValue
        address = flow.remote.description
        port = flow.port
        if case .translated(let ipv4) = flow.route { translatedTo = ipv4.description } else { translatedTo = nil }
        attempts = flow.attempts
        accepted = flow.accepted
        refused = flow.refused
        unreachable = flow.unreachable?.rawValue
        inbound = flow.isInbound
        bytesSent = flow.bytesSent
        bytesReceived = flow.bytesReceived
    }
}

struct RefusalRecord: Encodable, Sendable {
    let reason: String
    let explanation: String
    let count: UInt64
    let example: String
    let kind: String

    init(_ refusal: Refusal) {
        reason = refusal.reason
        explanation = refusal.explanation
        count = refusal.count
        example = refusal.example
        kind = refusal.kind.jsonName
    }
}
