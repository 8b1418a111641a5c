// SPDX-License-Identifier: Apache-2.0
import Evidence
import FoundationEssentials
package import Suites
import Text

/// A conformance statement (`--statement`): the questions that buyers and procurement offices ask about a program's IPv6 support, answered
/// from the cases of a suite.
///
/// It states only what cases have shown: an area without a test is "not tested".
package struct ConformanceStatement: Encodable, Sendable {
    /// A question, its answer, and the evidence for it.
    struct Answer: Encodable, Sendable {
        let question: String
        let answer: String
        /// The cases and findings behind the answer, a sentence each.
        let because: [String]
    }

    /// An area of use, covered by the tests with a tag.
    struct Area: Encodable, Sendable {
        let area: String
        let tag: String
        let result: String
    }

    struct Row: Encodable, Sendable {
        let test: String
        let network: String
        /// One of the texts of `Case.words`.
        let result: String
        let remark: String
    }

    let suite: String
    let tool = "ipv6check \(ProgramVersion.current)"
    /// RFC 3339, UTC.
    let date: String
    /// `sha256:…` of the suite file.
    let tests: String
    let programs: [TestedProgram]
    let invocation: [String]
    let answers: [Answer]
    let areas: [Area]
    let rows: [Row]

    package init(_ results: SuiteResults) {
        let header = results.header
        let plan = Dictionary(header.cases.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let cases = results.cases.map { Case(result: $0, plan: plan[$0.id]) }
        suite = header.suite
        date = header.timestamp
        tests = header.digest
        programs = header.programs ?? []
        invocation = header.invocation ?? []
        rows = cases.map(\.row)
        areas = Self.tags.map { area, tag in
            Area(area: area, tag: tag, result: Self.result(of: cases.filter { $0.plan?.tags?.contains(tag) == true }))
        }
        answers = [
            Self.runsOnIPv6Only(cases), Self.limits(cases), Self.needsOfIPv4(cases), Self.howTested(cases, header),
        ]
    }

    /// The areas of use and the tags of their tests: the life-cycle phases of draft-ietf-v6ops-ipv6-app-testing, and the areas that
    /// UNH-IOL's tests of applications add.
    private static let tags = [
        ("installation", "lifecycle-install"), ("use", "lifecycle-use"), ("management", "lifecycle-manage"),
        ("update", "lifecycle-update"), ("IPv6 addresses are accepted", "addresses-accepted"),
        ("IPv6 addresses are stored", "addresses-stored"), ("names in the DNS", "names"),
    ]

    // MARK: - The four questions

    private static func runsOnIPv6Only(_ cases: [Case]) -> Answer {
        let question = "Does it run where there is IPv6 alone?"
        let tested = cases.filter { $0.isIPv6Only && $0.wasRun && $0.plan?.fails == nil }
        let failing = tested.filter { !$0.isGood && $0.result.outcome != .broken }
        // A failure that happens on dual-stack, too, says nothing of IPv6.
        let broken = tested.count { $0.result.outcome == .broken }
        if tested.isEmpty {
            return Answer(
                question: question, answer: "Not tested: no case was run on an IPv6-only network.", because: [])
        }
        let networks = enumerated(unique(tested.map(\.result.network)))
        let all = "\(counted(tested.count, "case")) on \(networks)"
        var answer = "Not shown on \(networks)"
        if !failing.isEmpty {
            answer = "Not in \(failing.count) of \(all)"
        } else if tested.count > broken {
            answer = "Yes, in \(tested.count - broken) of \(all)"
        }
        if broken > 0 { answer += "; \(broken) \(plural(broken, "fails", "fail")) on dual-stack too" }
        return Answer(question: question, answer: answer + ".", because: failing.map(\.sentence))
    }

    private static func limits(_ cases: [Case]) -> Answer {
        let question = "With what limits?"
        let limits = cases.filter { $0.wasRun && (!$0.isGood || $0.plan?.fails != nil || $0.result.outcome == .flaky) }
        if !cases.contains(where: \.wasRun) { return Answer(question: question, answer: "Not tested.", because: []) }
        return Answer(
            question: question, answer: limits.isEmpty ? "None was seen." : "These were seen:",
            because: limits.map(\.sentence))
    }

    private static func needsOfIPv4(_ cases: [Case]) -> Answer {
        let question = "Which functions need IPv4?"
        let tested = cases.filter { $0.isIPv6Only && $0.wasRun }
        if tested.isEmpty {
            return Answer(
                question: question, answer: "Not tested: no case was run on an IPv6-only network.", because: [])
        }
        var needs: [String] = []
        for element in tested where element.plan?.fails == nil {
            let findings = element.result.findings.filter { $0.severity != "note" }
            needs += findings.map { finding in
                let place = finding.location.map { ", \($0.text)" } ?? ""
                return "\(element.result.test): \(finding.rule), it \(finding.title) (\(finding.target)\(place))"
            }
            // A failure that happens on dual-stack, too, is not caused by missing IPv4.
            if findings.isEmpty, !element.isGood, element.result.outcome != .broken {
                needs.append("\(element.result.test): it fails there, and no rule says why")
            }
        }
        needs = unique(needs)
        return Answer(question: question, answer: needs.isEmpty ? "None was seen." : "These were seen:", because: needs)
    }

    private static func howTested(_ cases: [Case], _ header: ResultHeader) -> Answer {
        let run = cases.filter(\.wasRun)
        let networks = enumerated(unique(run.map(\.result.network)))
        return Answer(
            question: "How was it tested?",
            answer: run.isEmpty
                ? "No case was run."
                : "\(counted(run.count, "case")) on simulated networks (\(networks)); one that fails is run on dual-stack, too.",
            because: cases.filter { !$0.wasRun }.map(\.sentence))
    }

    private static func result(of cases: [Case]) -> String {
        let run = cases.filter(\.wasRun)
        if cases.isEmpty { return "not tested" }
        if run.isEmpty { return "not run" }
        let failing = run.count { !$0.isGood }
        let missing = run.count == cases.count ? "" : ", \(cases.count - run.count) not run"
        return failing == 0
            ? "\(run.count) of \(run.count) as expected\(missing)"
            : "\(failing) of \(run.count) not as expected\(missing)"
    }

    private static func unique(_ words: [String]) -> [String] {
        words.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    // MARK: - A case

    private struct Case {
        let result: CaseResult
        /// The case's entry in the header, which has one for every case.
        let plan: ResultHeader.Case?

        var wasRun: Bool { ![.skip, .cancelled, .error].contains(result.outcome) }
        /// Whether it works, even with a new finding, a retry or leftover processes, or fails as expected.
        var isGood: Bool { [.pass, .flaky, .leak, .fixed, .newDependency].contains(result.outcome) }
        var isIPv6Only: Bool { Network(rawValue: result.network).map(Set.ipv6Only.contains) ?? false }

        private var words: String {
            switch result.outcome {
            case .pass where plan?.fails != nil: "fails as it should"
            case .pass, .leak, .fixed: "passes"
            case .newDependency: "passes, with a finding"
            case .flaky: "passes, not at once"
            case .known: "fails, known"
            case .skip, .cancelled, .error: "not run"
            case .broken where result.network != Network.dualStack.rawValue: CaseResult.failsEverywhere
            case .fail, .timeout, .expired, .broken: "fails"
            }
        }

        var row: Row {
            Row(
                test: result.test, network: result.network, result: words,
                remark: plan?.fails ?? (result.outcome == .pass ? "" : reason))
        }

        /// The message without the words that are the result.
        private var reason: String {
            let words = "\(CaseResult.failsEverywhere): "
            return result.message.hasPrefix(words) ? String(result.message.dropFirst(words.count)) : result.message
        }

        var sentence: String {
            let row = row
            return "\(row.test) on \(row.network) \(row.result)" + (row.remark.isEmpty ? "" : ": \(row.remark)")
        }
    }
}
