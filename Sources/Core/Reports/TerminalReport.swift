// SPDX-License-Identifier: Apache-2.0
import Diagnosis
import DNS64
import DNSWire
import Evidence
import Suites
import Text
import Topology
import Translation
import Wire

/// The report for a person, on the standard error stream, in the order of a reader's questions.
///
/// First the verdict, its reasons and the fixes, then the evidence: networks, DNS, flows.
package struct TerminalReport {
    private let report: RunReport
    private let style: TerminalStyle
    private let isVerbose: Bool
    private var lines: ReportLines

    /// Maximum rows of DNS and flow evidence, unless the report is verbose.
    static let rowLimit = 8
    /// Maximum rows of connections, even if it is verbose: a client can make very many, and `--json` has more of them.
    private static let connectionLimit = 100

    package static func render(_ report: RunReport, style: TerminalStyle, verbose: Bool) -> String {
        var text = TerminalReport(
            report: report, style: style, isVerbose: verbose, lines: ReportLines(style: style))
        text.writeVerdict()
        text.writeFindings()
        text.writeUnexplained()
        text.writeHindrances()
        text.writeNetworks()
        text.writeConditions()
        text.writeLiterals()
        text.writeQuestions()
        text.writeOwnQuestions()
        text.writeQueries()
        text.writeFlows()
        text.writeIPv4Dependencies()
        text.writeConnections()
        text.writeCalls()
        text.writeDrops()
        text.writeNotes()
        return text.lines.text
    }

    /// Causes that are not in a finding, for a page that shows the findings separately.
    static func reasons(_ report: RunReport) -> [CaseResult.Fact] {
        facts(report) { text in
            text.writeUnexplained()
            text.writeHindrances()
        }
    }

    /// Details that a page shows neither as a finding, nor as a run, nor in the time line.
    static func details(_ report: RunReport) -> [CaseResult.Fact] {
        facts(report) { text in
            text.writeNetwork()
            text.writeConditions()
            text.writeLiterals()
            text.writeOwnQuestions()
            text.writeIPv4Dependencies()
            text.writeDrops()
            text.writeNotes()
        }
    }

    private static func facts(_ report: RunReport, _ body: (inout TerminalReport) -> Void) -> [CaseResult.Fact] {
        let style = TerminalStyle(isColoured: false)
        var text = TerminalReport(
            report: report, style: style, isVerbose: false, lines: ReportLines(style: style))
        body(&text)
        return text.lines.facts
    }

    /// Notes for a user about to enter a shell, before there is anything to judge.
    package static func notes(_ notes: [String], style: TerminalStyle) -> String {
        var lines = ReportLines(style: style)
        for note in notes { lines.row("note", note) }
        return lines.text
    }

    /// The first line of the report.
    static func headline(_ report: RunReport, style: TerminalStyle) -> String {
        let (word, sentence) = judgement(report, style)
        return "ipv6check: \(word)  \(style.strong(abbreviated(report.command))) \(sentence)"
    }

    /// The line that `--quiet` prints if the exit code is not 0: the first line, and the warnings of a pass.
    package static func line(_ report: RunReport, style: TerminalStyle) -> String {
        let warnings =
            report.verdict.judgement == .passes ? report.verdict.findings.filter { $0.severity == .warning } : []
        return headline(report, style: style)
            + (warnings.isEmpty ? "" : ": \(listed(warnings.map { "\($0.rule.id) It \($0.rule.title)." }))")
    }

    static func judgement(_ report: RunReport, _ style: TerminalStyle) -> (word: String, sentence: String) {
        let here = report.run.network.rawValue
        if !report.run.canaries.isEmpty {
            return report.verdict.judgement == .passes
                ? (style.good("PASS"), "reaches no private host") : (style.bad("FAIL"), "reaches a private host")
        }
        switch report.verdict.judgement {
        case .passes:
            let warning = report.verdict.findings.first {
                $0.rule == .passesByURLLoading || $0.rule == .passesBySynthesis
            }
            let means = warning.map {
                $0.rule == .passesBySynthesis ? " by literal synthesis" : " by URL loading's synthesis"
            }
            return (
                style.good("PASS") + (means.map(style.strong) ?? ""),
                "works on \(here)" + (warning.map { " (\($0.rule.id))" } ?? "")
            )
        case .passesHereOnly:
            return (style.warning("PASS"), "works on \(here), and fails on dual-stack")
        case .flaky:
            let sentence =
                report.runs.isRecoveredLater
                ? "works on \(here) now, after it failed twice: something needed time"
                : "failed once and passed once on \(here): no IPv6 problem shown"
            return (style.warning("FLAKY"), sentence)
        case .failsHere:
            if report.run.isProbed {
                return (style.bad("FAIL"), "fails on \(here); it serves IPv4 clients on dual-stack")
            }
            if report.worksByTests {
                return (style.bad("FAIL"), "fails on \(here); some of its tests pass on dual-stack only")
            }
            return (
                style.bad("FAIL"),
                "fails on \(here); the same command works on \(report.runs.translated == nil ? "dual-stack" : "nat64")"
            )
        case .failsHereRunsThere:
            return (style.bad("FAIL"), "fails on \(here); on dual-stack it was still running when it was stopped")
        case .failsUncompared:
            return (
                style.bad("FAIL"),
                report.verdict.unexplained == .fromMemory
                    ? "failed on \(here), and then passed there without sending anything"
                    : "fails on \(here); not compared with dual-stack"
            )
        case .failsEverywhere:
            return (style.bad("FAIL"), failureEverywhere(report))
        case .notJudged:
            return (style.warning("NOT JUDGED"), notJudged(report))
        case .timesOut:
            return (
                style.bad("TIME-OUT"),
                "timed out on \(here)" + (report.runs.control.map { endsOnDualStack($0) } ?? "")
            )
        }
    }

    private static func notJudged(_ report: RunReport) -> String {
        let run = report.run.isHindered ? report.run : report.runs.control ?? report.run
        let what =
            report.runs.isRivalOfTracing
            ? "its system calls were traced, and it traces processes itself"
            : run.lackedService ? "a service of the world was gone" : "the simulator had no room for it"
        return "failed on \(run.network.rawValue), where \(what)"
    }

    private static func endsOnDualStack(_ control: RunEvidence) -> String {
        control.end.isSuccess ? "; the same command works on dual-stack" : "; it does not succeed on dual-stack either"
    }

    private mutating func writeVerdict() {
        lines.headline(Self.headline(report, style: style))
    }

    private mutating func writeFindings() {
        let origins = KnownOrigins(report.runs)
        for finding in report.verdict.findings {
            row(
                label(finding.severity),
                "\(style.strong(finding.rule.id)) It \(finding.rule.title).")
            for text in limited(folded(finding.observations.map { printable(sentence($0.statement)) })) {
                row("", report.words.spelled(text))
            }
            if let place = finding.placeBeside { row("", "The line: \(printable(phrase(place))).") }
            for text in limited(origins.sentences(for: finding)) { row("", printable(text)) }
            row("fix", report.words.spelled(finding.advice))
            row("more", "ipv6check explain \(finding.rule.id)")
        }
    }

    /// The word before a finding. A note on a client that passes explains no failure.
    private func label(_ severity: Severity) -> String {
        switch severity {
        case .warning: "warning"
        case .note where report.verdict.judgement == .passes: "note"
        case .note, .error: "why"
        }
    }

    private mutating func writeUnexplained() {
        if let text = report.unexplained { row("why", text) }
        table("both", report.verdict.onBothNetworks.map { printable(sentence($0.statement)) })
    }

    /// Hindrances by the simulator, which are not the client's fault.
    private mutating func writeHindrances() {
        for run in report.runs.all {
            table("simulator", hindrances(run).map { "on \(run.network.rawValue) \($0)" })
        }
        guard report.verdict.judgement == .notJudged else { return }
        if report.runs.isRivalOfTracing {
            row("fix", report.words.spelled("Run it without --trace always, or more than once (without --once)."))
            return
        }
        let isWithoutService = report.runs.all.contains(where: \.lackedService)
        row(
            "fix",
            (isWithoutService
                ? "See why the service has ended, or could not be started: what it said is among the simulator's errors. That says "
                : "Run it again with fewer clients beside it, or with fewer connections and queries at a time: these limits are the "
                    + "simulator's, and say ") + "nothing of the client (docs/rules/README.md#not-judged).")
    }

    private mutating func writeNetworks() {
        let runs = report.runs
        for (evidence, remark) in [
            (runs.first, nil), (runs.again, runs.first.end.isSuccess ? "second run, traced" : "second run"),
            (runs.control, nil), (runs.translated, nil),
            (runs.later, "last run, after dual-stack"),
            (runs.withSynthesis, "with literal synthesis (--getaddrinfo apple)"),
            (runs.withoutSynthesis, "with the machine's own getaddrinfo"),
            (runs.untracedControl, "untraced, as the traced run"),
        ]
            + runs.setAside.map({
                (
                    $0,
                    runs.first.end.isSuccess
                        ? "second run, traced: it decides nothing" : "traced: it explains, and decides nothing"
                )
            })
        {
            guard let evidence else { continue }
            // Its probes judge a server, which is told to end after them.
            let end = evidence.isProbed && evidence.end.isSuccess ? "ended" : ending(of: evidence)
            let text = "\(report.words.spelled(end)) after \(seconds(evidence.duration))"
            let place = remark.map { [report.words.spelled($0)] } ?? conditions(evidence.network)
            row(
                evidence.network.rawValue, text + (place.isEmpty ? "" : style.dim("  \(place.joined(separator: "; "))"))
            )
            if !evidence.timeline.isEmpty { row("", style.dim(phrase(evidence.timeline))) }
        }
    }

    /// A further run may have a limit of its own.
    private func ending(of run: RunEvidence) -> String {
        if case .timedOut = run.end, run != report.runs.first { return "stopped" }
        return phrase(run.end)
    }

    /// The properties of the network.
    private mutating func writeNetwork() {
        let place = conditions(report.run.network)
        if !place.isEmpty { row("network", place.joined(separator: "; ")) }
        if !report.run.timeline.isEmpty { row("networks", phrase(report.run.timeline)) }
    }

    private func conditions(_ network: Network) -> [String] {
        let entry = network.entry
        var place = phrases(report.links, on: entry)
        if entry.hasNAT64, let pref64 = report.pref64 {
            place.insert("\(entry.contents) under \(pref64)", at: 0)
        } else if network != .dualStack {
            place.insert(entry.contents, at: 0)
        }
        if let network = report.hostNetwork { place.append(phrase(network)) }
        return place
    }

    /// The effects of the networks' conditions, in each run that had some.
    private mutating func writeConditions() {
        table(
            "conditions",
            report.runs.all.flatMap { run in
                ([run.seen.conditions].compactMap { $0 } + run.seen.hostConditions).map { conditions in
                    let place = [run.network.rawValue, conditions.host].compactMap { $0 }.joined(separator: ", ")
                    return "\(place): \(printable(phrase(conditions)))"
                }
            })
    }

    private mutating func writeLiterals() {
        // The note about the run with synthesis says more.
        if report.verdict.worksBySynthesis { return }
        table(
            "literals",
            report.run.lookups.compactMap { phrase($0) }.map { $0.asked + style.dim("  \($0.whence)") })
    }

    private mutating func writeQuestions() {
        let rows = report.run.seen.questions.map { query in
            var text = phrase(query, style)
            if query.count > 1 { text += style.dim("  × \(query.count)") }
            return text
        }
        table("dns", rows)
    }

    /// The client's queries to resolvers of the world, in place of the network's.
    private mutating func writeOwnQuestions() {
        table("own dns", report.run.seen.servedQueries.map { printable(phrase($0)) })
    }

    /// Every single query, with the seconds since the client's start.
    private mutating func writeQueries() {
        guard isVerbose else { return }
        var rows = report.run.seen.queries.queries.map { "\(seconds($0.time - .zero))  \(DNSLogText.line($0))" }
        let omitted = report.run.seen.queries.omitted
        if omitted > 0 {
            rows.insert("… \(counted(omitted, "earlier query is", "earlier queries are")) not kept", at: 0)
        }
        table("dns log", rows)
    }

    private mutating func writeFlows() {
        let names = report.run.names
        let flows = report.run.seen.flows
        let single = isVerbose ? flows : flows.filter { !$0.isInbound }
        let rows = single.map { phrase($0, name: names[$0]?.withoutFinalDot, isVerbose: isVerbose) }
        table("flows", rows + (isVerbose ? [] : phrases(inbound: flows.filter(\.isInbound))))
    }

    /// The IPv4 dependencies: traffic that crossed the CLAT.
    private mutating func writeIPv4Dependencies() {
        table("by clat", report.run.ipv4Dependencies.map { printable(phrase($0)) })
    }

    /// The connections that the world's servers saw; those that went wrong are always shown if the client failed.
    private mutating func writeConnections() {
        let seen = report.run.seen
        let shown = isVerbose ? seen.connections : seen.connections.filter(\.isTelling)
        if shown.isEmpty || !isVerbose && report.run.end.isSuccess { return }
        let hosts = HostLookups(report.run)
        var rows = shown.prefix(Self.connectionLimit).map { connection in
            "\(seconds(connection.time))  \(phrase(connection, report.run.flow(of: connection).flatMap { hosts[$0] }))"
        }
        let omitted = shown.count - rows.count + (isVerbose ? seen.lost.connections : 0)
        if omitted > 0 { rows.append(style.dim("… and \(counted(omitted, "more connection"))")) }
        table("servers", rows)
    }

    /// The client's own calls that failed. With `--verbose` all calls, and up to two callers of the program's own frame for each.
    private mutating func writeCalls() {
        guard let calls = report.traced else { return }
        var rows: [(text: String, count: Int)] = []
        for call in isVerbose ? calls.calls : calls.own.filter(\.isTelling) {
            var text = phrase(call)
            if let frame = call.place(in: calls) { text += " in \(phrase(frame))" }
            text = printable(text)
            if call.program != 0 { text += style.dim("  by \(printable(ancestry(call, in: calls)))") }
            if let origin = call.origin { text += style.dim("  \(printable(source(origin)))") }
            // A library tries again at another time, or with the next of its servers.
            if !isVerbose, rows.last?.text == text {
                rows[rows.count - 1].count += call.count
            } else {
                rows.append((text, call.count))
            }
            guard isVerbose else { continue }
            for frame in call.frames.fromOwn.dropFirst().prefix(2) {
                rows.append((style.dim("  called by \(printable(phrase(frame)))"), 1))
            }
        }
        table("calls", rows.map { $0.text + ($0.count > 1 ? style.dim("  × \($0.count)") : "") })
    }

    private mutating func writeDrops() {
        let shown = report.run.seen.drops.filter { isVerbose || $0.reason.kind != .background }
        table(
            "drops",
            shown.map { "\($0.count) × \($0.reason)  \($0.reason.explanation)" + style.dim("  first: \($0.example)") })
    }

    private mutating func writeNotes() {
        // Notes that the JSON report has in fields of its own come second.
        let ended = phrase(report.run.survivors).map { [$0] } ?? []
        for note in report.sentences + report.run.hostPorts.map({ phrase($0) }) + sentences(report.run.uncovered)
            + ended
            + report.run.seen.deletedLinks.map(phrase)
        {
            row("note", note)
        }
        for text in report.runs.all.compactMap(leftOut) { row("note", text) }
        for gap in report.traced?.gaps ?? [] { row("note", printable(gap)) }
    }

    // MARK: - Layout

    private mutating func row(_ label: String, _ text: String) { lines.row(label, text) }

    private mutating func table(_ label: String, _ rows: [String]) {
        for (index, text) in limited(rows).enumerated() { row(index == 0 ? label : "", text) }
    }

    private func limited(_ rows: [String]) -> [String] {
        if isVerbose || rows.count <= Self.rowLimit { return rows }
        return rows.prefix(Self.rowLimit) + [
            style.dim("… and \(rows.count - Self.rowLimit) more\(report.words.spelled(" (--verbose shows all)"))")
        ]
    }
}
