// SPDX-License-Identifier: Apache-2.0
import Diagnosis
package import Evidence
package import Suites
import TestResults
import Text
import Topology

extension CaseResult {
    /// The reported result of a case, from its judgement.
    /// - Parameters:
    ///   - links: their conditions in the first run.
    ///   - notes: the changes around the client, a sentence each.
    package init(
        _ element: SuiteCase, _ judgement: CaseJudgement, _ attempts: CaseAttempts,
        links: LinkConditions = LinkConditions(), pref64: String? = nil, notes: [String] = []
    ) {
        // Further runs of a program that passes explain it, and are no time of its own.
        let total =
            attempts.first.isAsExpected
            ? duration(of: attempts.first)
            : attempts.all.map { duration(of: $0.attempt) }.reduce(0, +) + milliseconds(attempts.dropped)
        self.init(element, judgement.outcome, seconds: total)
        runs = attempts.all.map { role, attempt in
            Run(
                role: role, network: attempt.evidence.network.rawValue, end: ending(attempt.evidence.end),
                seconds: duration(of: attempt), isAsExpected: attempt.isAsExpected)
        }
        let origins = KnownOrigins(attempts.runsAsSeen)
        findings = judgement.met.map { met in
            let (state, reason): (Finding.State, String?) =
                switch met.acceptance {
                case .known(let failure): (.known, failure.reason)
                case .baseline: (.baseline, nil)
                case nil: (.new, nil)
                }
            return Finding(
                rule: met.dependency.rule, title: met.finding.rule.title, program: met.dependency.program,
                target: met.dependency.target, text: sentence(met.observation.statement), state: state,
                severity: met.finding.severity.rawValue, reason: reason, advice: printable(met.finding.advice),
                location: met.observation.site.flatMap(CodeLocation.init), origin: origins.origin(of: met.observation))
        }
        inner = judgement.inner.map { Inner($0, of: element) }
        let failure = explained(judgement)
        rule = failure.rule
        until = failure.known?.until?.description
        let counts = innerCounts(judgement.inner)
        message = printable(message(judgement, attempts, failure))
        if !counts.isEmpty {
            // Failed inner tests are already in the message, with their number.
            let isSaid = if case .innerTests = attempts.first.broken.first { failure.met == nil } else { false }
            message = isSaid || message.isEmpty ? counts : "\(counts); \(message)"
        }
        if outcome == .error { code = SuiteResults.machineCannot }
        warnings = judgement.expiring.map { known in
            "\(known.rule)\(known.target.map { " \($0)" } ?? "") is accepted until \(known.until?.description ?? "") only: \(known.reason)."
        }
        let survivors = attempts.first.evidence.survivors
        self.notes =
            notes + attempts.first.evidence.hostPorts.map { phrase($0) }
            + (outcome == .leak || survivors.processes.isEmpty ? [] : [left(survivors) + "."])
        drawRun(of: attempts.runsAsSeen, findings: judgement.verdict.findings)
        guard outcome.isRed || outcome == .known || outcome == .flaky else { return }
        var report = RunReport(
            command: element.test.command.arguments, pref64: pref64, runs: attempts.runsAsSeen,
            verdict: judgement.verdict, links: links, notes: notes, words: .suiteFile)
        report.worksByTests = attempts.control.map { !$0.isAsExpected } ?? false
        let text = TerminalReport.render(report, style: TerminalStyle(isColoured: false), verbose: false)
        let expectations = attempts.first.broken.map(phrase)
        self.report = cut(expectations.map { "  failed      \($0)\n" }.joined() + text, to: Self.reportLimit)
        reasons = expectations.map { Fact(label: "failed", text: $0) } + TerminalReport.reasons(report)
        details = TerminalReport.details(report)
        let printed = (attempts.first.isAsExpected ? attempts.again ?? attempts.first : attempts.first).output
        output = tail(printed.output)
        errors = tail(printed.errors)
        control = attempts.control.map { attempt in
            Control(
                output: tail(attempt.output.output), errors: tail(attempt.output.errors),
                timeline: timeLine(attempt.evidence, findings: []))
        }
    }

    /// Draws the most informative run on this network.
    mutating func drawRun(of runs: Diagnosis.Runs, findings: [Diagnosis.Finding]) {
        let traced = runs.roles.first { $0.run.network == runs.first.network && $0.run.isTraced }
        timeline = timeLine(traced?.run ?? runs.first, findings: findings)
        timelineRole = traced?.role
    }

    static let failsEverywhere = "fails on dual-stack too"

    /// Maximum octets of a report and of each stream in the results: a log of many cases must stay readable.
    private static let reportLimit = 65_536
    static let streamLimit = 16_384

    /// The finding behind the outcome, and the known failure.
    private func explained(_ judgement: CaseJudgement) -> (rule: String?, met: CaseJudgement.Met?, known: KnownFailure?)
    {
        if judgement.isUnproven { return (Rule.sendsNothing.id, nil, nil) }
        switch judgement.outcome {
        case .fail, .timeout, .newDependency:
            let met = judgement.met.first { $0.acceptance == nil } ?? judgement.met.first
            return (met?.dependency.rule, met, nil)
        case .known:
            let met = judgement.met.first
            if case .known(let failure) = met?.acceptance { return (met?.dependency.rule, met, failure) }
            return (met?.dependency.rule, met, nil)
        case .fixed: return (judgement.gone.first?.rule, nil, judgement.gone.first)
        case .expired: return (judgement.expired.first?.rule, nil, judgement.expired.first)
        case .pass, .flaky, .broken, .error, .leak, .skip, .cancelled: return (nil, nil, nil)
        }
    }

    private func message(
        _ judgement: CaseJudgement, _ attempts: CaseAttempts,
        _ failure: (rule: String?, met: CaseJudgement.Met?, known: KnownFailure?)
    ) -> String {
        if judgement.isUnproven {
            return "\(Rule.sendsNothing.id): it \(Rule.sendsNothing.title); if the test needs none, write offline: true"
        }
        if let contact = attempts.first.evidence.canaryContacts.first,
            judgement.outcome == .fail || judgement.outcome == .pass
        {
            let more = attempts.first.inner.map(\.failed) ?? 1
            return "\(Rule.ledToPrivateAddress.id): \(contact.sentence)"
                + (more > 1 ? "; and \(more - 1) more" : "")
        }
        switch judgement.outcome {
        case .pass:
            return judgement.expectedFailure.map { "fails, as it should: \($0.reason)" } ?? ""
        case .fail where judgement.expectedFailure != nil && attempts.first.isAsExpected:
            return "works, and should fail: \(judgement.expectedFailure?.reason ?? "")"
        case .skip, .cancelled: return ""
        case .error:
            return "not judged: " + (attempts.all.flatMap { hindrances($0.attempt.evidence) }.first ?? "")
        case .leak:
            return left(attempts.first.evidence.survivors)
        case .fail, .timeout, .newDependency:
            let why = attempts.first.broken.first.map(phrase)
            guard let met = failure.met else { return why ?? "" }
            let more = Set(judgement.met.map(\.dependency)).count - 1
            return "\(met.dependency.rule)\(target(met.dependency)): it \(met.finding.rule.title)"
                + (more > 0 ? "; and \(more) more" : "")
        case .known:
            guard let known = failure.known else {
                return "\(failure.rule ?? "")\(failure.met.map { target($0.dependency) } ?? ""), in the baseline"
            }
            let end = known.until.map { "until \($0)" } ?? "without end"
            return "\(known.rule)\(known.target.map { " \($0)" } ?? ""), \(end): \(known.reason)"
        case .fixed:
            let names = judgement.gone.map { "\($0.rule)\($0.target.map { " \($0)" } ?? "")" }
            return "\(enumerated(names)) does not occur any more: take it out of known"
        case .expired:
            guard let known = failure.known, let until = known.until else { return "" }
            return "\(known.rule)\(known.target.map { " \($0)" } ?? "") was accepted until \(until): \(known.reason)"
        case .flaky:
            return attempts.runs.isRecoveredLater
                ? "failed twice (\(ending(attempts.first.evidence.end))), then passed on the same network: something needed time"
                : "failed (\(ending(attempts.first.evidence.end))), then passed on the same network"
        case .broken:
            let why = attempts.first.broken.first.map(phrase) ?? ""
            let place = attempts.control == nil ? "" : "\(Self.failsEverywhere): "
            return place + why
        }
    }

    /// `ended with the client: sleep, sleep and 3 more`
    private func left(_ survivors: SurvivingProcesses) -> String {
        let names = survivors.processes.map(\.name) + Array(repeating: "", count: survivors.more)
        return "ended with the client: \(enumerated(names, limit: 3))"
    }

    private func target(_ dependency: Dependency) -> String { dependency.target == "-" ? "" : " \(dependency.target)" }

    private func tail(_ text: CapturedText) -> String {
        let end = text.omitted > 0 || !text.end.isEmpty ? text.end : text.start
        if end.utf8.count <= Self.streamLimit { return end }
        return "…" + String(decoding: end.utf8.suffix(Self.streamLimit), as: UTF8.self)
    }
}

/// An expectation that was not met.
private func phrase(_ broken: BrokenExpectation) -> String {
    switch broken {
    case .end(.timedOut(let after), _): "it was stopped after \(seconds(after))"
    case .end(let end, let expected): "\(ending(end)), expected \(expected)"
    case .report(let name, let problem): "\(name) \(problem)"
    case .server(let failure): "the server \(failure)"
    case .probe(let answer, let listeners): phrase(answer, listeners)
    case .listens(let family, let listeners):
        "it does not listen for \(family == .ipv6 ? "IPv6" : "IPv4") from other machines: it listens \(phrase(listeners))"
    case .flow(let flow): "it gets no answer from \(excerpt(flow.text))"
    case .ipv4Attempts(let count, let limit):
        "\(counted(count, "IPv4 attempt")), expected \(limit == 0 ? "0" : "\(limit) at most")"
    case .letThrough(let contact): "it was led to \(contact.canary?.description ?? "a private address")"
    case .slower(let here, let there, let limit):
        "it takes \(seconds(here)), and \(seconds(there)) on dual-stack: more than \(multiple(limit)) as long"
    case .log(let text): phrase(text, of: "its output")
    case .innerTests(let failed, let total):
        "\(failed) of \(counted(total, "test")) \(plural(failed, "fails", "fail"))"
    case .text(let stream, let text): phrase(text, of: stream.rawValue)
    }
}

private func phrase(_ text: TextExpectation, of stream: String) -> String {
    switch text {
    case .contains(let part): "\(stream) does not contain \"\(excerpt(part))\""
    case .equals(let whole): "\(stream) is not \"\(excerpt(whole))\""
    case .matches(let pattern): "\(stream) does not match \"\(excerpt(pattern))\""
    case .json(let path, let value): "\(stream) is no JSON with \"\(excerpt(value))\" at \(excerpt(path))"
    case .file(let path, _): "\(stream) is not what \(excerpt(path)) has"
    }
}

/// `twice`, `2.5 times`
private func multiple(_ factor: Double) -> String {
    if factor == 2 { return "twice" }
    return "\(factor == factor.rounded() ? "\(Int(factor))" : "\(factor)") times"
}

private func ending(_ end: ExitOutcome) -> String {
    if case .timedOut = end { return "timeout" }
    return phrase(end)
}

private func duration(of attempt: Attempt) -> Double { milliseconds(attempt.evidence.duration) }

func milliseconds(_ duration: Duration) -> Double {
    let (seconds, attoseconds) = duration.components
    // Milliseconds: more digits would differ from run to run and are meaningless.
    return Double(seconds) + Double(attoseconds / 1_000_000_000_000_000) / 1000
}

/// The start of a text, by octets of UTF-8.
private func cut(_ text: String, to limit: Int) -> String {
    text.utf8.count <= limit ? text : String(decoding: text.utf8.prefix(limit), as: UTF8.self) + "…\n"
}
