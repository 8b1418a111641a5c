// SPDX-License-Identifier: Apache-2.0
import Diagnosis
package import Suites
import Text

/// A suite's output for a person, on the standard error stream.
package struct SuiteLines {
    private let style: TerminalStyle
    /// Column in which the message of a case begins.
    private let nameWidth: Int

    package init(style: TerminalStyle, cases: [String]) {
        self.style = style
        nameWidth = min(48, cases.map(\.count).max() ?? 0)
    }

    /// `  FAIL     fetch@nat64   0.19 s  V6C-001 …`
    package func line(_ result: CaseResult) -> String {
        let word = result.outcome.rawValue.uppercased().padded(to: 14)
        let time = result.runs.isEmpty ? "" : "\(decimal(result.seconds)) s"
        let row =
            "  \(coloured(word, result))  \(result.id.padded(to: nameWidth))  "
            + String(repeating: " ", count: max(0, 8 - time.count)) + time
            + (result.message.isEmpty ? "" : "  " + printable(result.message)) + warning(beside: result)
        return style.width.map { wrapped(row, at: $0, indent: 18) } ?? row
    }

    /// The first of a green case's warnings.
    private func warning(beside result: CaseResult) -> String {
        let warnings = result.greenWarnings
        guard let first = warnings.first else { return "" }
        let more = warnings.count > 1 ? " (and \(warnings.count - 1) more)" : ""
        return "  \(style.warning("warning")) \(first.rule) it \(printable(first.title))\(more)"
    }

    /// The line for a case that is still running.
    package func slow(_ id: String, seconds: Int) -> String {
        "  \(style.warning("SLOW".padded(to: 14)))  \(id.padded(to: nameWidth))  > \(seconds) s"
    }

    /// The details of a red case, shown at the end.
    package func detail(_ result: CaseResult) -> String {
        var text = "\n\(coloured(result.outcome.rawValue.uppercased(), result))  \(style.strong(result.id))"
        text += result.message.isEmpty ? "\n" : "  \(printable(result.message))\n"
        for line in Self.lines(result.report) { text += printable(String(line)) + "\n" }
        text += inner(result)
        for (name, stream) in [("stdout", result.output), ("stderr", result.errors)] where !stream.isEmpty {
            text += style.dim("  \(name):\n")
            let lines = Self.lines(stream)
            let hidden = lines.count - Self.lineLimit
            if hidden > 0 { text += style.dim("    … \(counted(hidden, "line")) before\n") }
            for line in lines.suffix(Self.lineLimit) { text += "    \(printable(String(line)))\n" }
        }
        return text
    }

    /// The failed inner tests, worst first, with their runner's output.
    private func inner(_ result: CaseResult) -> String {
        var text = ""
        let red = result.inner.filter(\.outcome.isRed)
        for test in red.prefix(Self.innerLimit) {
            text += "  \(coloured(test.outcome.rawValue.uppercased().padded(to: 10), test.outcome, isRed: true))  "
            text += style.strong(printable(test.group.isEmpty ? test.name : "\(test.group).\(test.name)"))
            text += test.message.isEmpty ? "\n" : "  \(printable(test.message))\n"
            for line in Self.lines(test.detail).prefix(Self.detailLimit) { text += "    \(printable(String(line)))\n" }
        }
        if red.count > Self.innerLimit { text += style.dim("  and \(red.count - Self.innerLimit) more of its tests\n") }
        return text
    }

    /// Maximum number of inner tests shown, and of lines of each.
    private static let innerLimit = 20
    private static let detailLimit = 15
    /// Maximum number of a stream's lines shown.
    private static let lineLimit = 40

    private static func lines(_ text: String) -> [Substring] {
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    package func note(_ text: String) -> String { "  \(style.dim("note".padded(to: 14)))  \(printable(text))\n" }

    /// Notes on cases beside their outcomes; a note about many cases is written once.
    package func notes(_ results: SuiteResults) -> String {
        var cases: [(note: String, ids: [String])] = []
        for result in results.cases {
            for note in result.warnings + result.notes {
                if let place = cases.firstIndex(where: { $0.note == note }) {
                    cases[place].ids.append(result.id)
                } else {
                    cases.append((note, [result.id]))
                }
            }
        }
        return (results.red.isEmpty ? "" : "\n")
            + cases.map { note(($0.ids.count == 1 ? $0.ids[0] : counted($0.ids.count, "case")) + ": \($0.note)") }
            .joined()
    }

    /// The last lines: the verdict on the whole suite.
    package func summary(_ results: SuiteResults) -> String {
        let isGood = results.exitCode == 0
        let (leaks, flaky) = (
            results.cases.filter { $0.outcome == .leak }, results.cases.filter { $0.outcome == .flaky }
        )
        let red = (leaks: leaks.count(where: \.isRed), flaky: flaky.count(where: \.isRed))
        var counts = ["\(results.count(.pass, .leak, .flaky) - red.leaks - red.flaky) passed"]
        func add(_ count: Int, _ word: String) { if count > 0 { counts.append("\(count) \(word)") } }
        add(results.count(.fail, .timeout), "failed")
        add(results.count(.newDependency), "with a new dependency")
        add(red.flaky, "flaky")
        add(red.leaks, "with processes left over")
        add(results.count(.known), "known")
        add(results.count(.fixed), "fixed")
        add(results.count(.expired), "expired")
        add(results.count(.broken), "broken")
        add(results.count(.error), plural(results.count(.error), "error"))
        add(results.count(.cancelled), "not run")
        add(results.count(.skip), "skipped")
        var rest: [String] = []
        if flaky.count > red.flaky { rest.append("\(flaky.count - red.flaky) flaky") }
        if leaks.count > red.leaks { rest.append("\(leaks.count - red.leaks) with processes left over") }
        if results.elsewhere > 0 { rest.append("\(results.elsewhere) in other shards") }
        let inner = results.cases.map(\.inner.count).reduce(0, +)
        if inner > 0 { rest.append("with \(counted(inner, "inner test"))") }
        let warned = results.cases.count { !$0.greenWarnings.isEmpty }
        if warned > 0 { rest.append("\(warned) with a warning") }
        rest.append("\(decimal(results.seconds)) s")
        let word = isGood ? style.good("PASS") : results.exitCode == 4 ? style.bad("NOTHING RAN") : style.bad("FAIL")
        let cases = counted(results.cases.count, "case")
        var text = "ipv6check: \(word)  \(cases): \(counts.joined(separator: ", ")); \(rest.joined(separator: "; "))\n"
        let new = results.cases.filter { $0.outcome == .newDependency || $0.outcome == .fail || $0.outcome == .timeout }
            .flatMap { result in
                // A failing guard against private addresses is no dependency on IPv4.
                result.findings.filter { $0.state == .new && $0.rule != Rule.ledToPrivateAddress.id }.map {
                    "\($0.rule) \(result.test) \($0.program) \($0.target)"
                }
            }.sorted().deduplicated
        if !new.isEmpty {
            text += "  new IPv4 dependencies: \(new.count)\n"
            for line in new.prefix(20) { text += "    \(printable(line))\n" }
            if new.count > 20 { text += "    and \(new.count - 20) more\n" }
        }
        if !results.gone.isEmpty {
            text += "  gone from the baseline: \(results.gone.count) (--baseline prune takes them out)\n"
            for line in results.gone.prefix(20) { text += "    \(printable(line))\n" }
            if results.gone.count > 20 { text += "    and \(results.gone.count - 20) more\n" }
        }
        return text
    }

    private func coloured(_ word: String, _ result: CaseResult) -> String {
        coloured(word, result.outcome, isRed: result.isRed)
    }

    private func coloured(_ word: String, _ outcome: CaseOutcome, isRed: Bool) -> String {
        if isRed { return style.bad(word) }
        return switch outcome {
        case .pass: style.good(word)
        case .known, .skip: style.dim(word)
        default: style.warning(word)
        }
    }
}

extension CaseResult {
    /// The warnings that no baseline accepts, of a case that is not red.
    fileprivate var greenWarnings: [Finding] {
        isRed ? [] : findings.filter { $0.severity == Severity.warning.rawValue && $0.state == .new }
    }
}

/// Two decimal places: `0.21`, `74.20`.
func decimal(_ seconds: Double) -> String {
    let hundredths = Int((seconds * 100).rounded())
    return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
}

extension [String] {
    /// A sorted list without repetitions.
    fileprivate var deduplicated: [String] {
        reduce(into: []) { result, element in if result.last != element { result.append(element) } }
    }
}
