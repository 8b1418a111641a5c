// SPDX-License-Identifier: Apache-2.0
package import Suites
import Text

/// The results of a suite as TAP 14 (https://testanything.org/tap-version-14-specification.html).
package enum TAPReport {
    package static func render(_ results: SuiteResults) -> String {
        let count = results.cases.map { 1 + $0.inner.count }.reduce(0, +)
        var text = "TAP version 14\n1..\(count)\n"
        var number = 0
        for result in results.cases {
            number += 1
            text += point(number, result.id, result.outcome, isRed: result.isRed, result.message)
            text += diagnostics(result)
            for inner in result.inner {
                number += 1
                text += point(number, inner.id, inner.outcome, isRed: inner.outcome.isRed, inner.message)
                text += diagnostics(inner)
            }
        }
        return text
    }

    private static func point(
        _ number: Int, _ id: String, _ outcome: CaseOutcome, isRed: Bool, _ message: String
    ) -> String {
        let state = isRed || outcome == .known ? "not ok" : "ok"
        let directive =
            switch outcome {
            case .known: " # TODO \(line(message))"
            case .skip: " # SKIP \(line(message))"
            default: ""
            }
        return "\(state) \(number) - \(line(id))\(directive)\n"
    }

    /// Text after `#` ends with the line; `#` and `\` are escaped.
    private static func line(_ text: String) -> String {
        printable(text).replacing("\\", with: "\\\\").replacing("#", with: "\\#")
    }

    /// A YAML block; every text in it is a quoted scalar.
    private static func diagnostics(_ result: CaseResult) -> String {
        if result.outcome == .pass || result.outcome == .skip { return "" }
        var rows = [("outcome", quoted(result.outcome.rawValue)), ("message", quoted(result.message))]
        if let rule = result.rule { rows.append(("rule", quoted(rule))) }
        if let target = result.findings.first?.target { rows.append(("target", quoted(target))) }
        rows.append(("seconds", decimal(result.seconds)))
        return "  ---\n" + rows.map { "  \($0.0): \($0.1)\n" }.joined() + "  ...\n"
    }

    private static func diagnostics(_ inner: CaseResult.Inner) -> String {
        if inner.outcome == .pass || inner.outcome == .skip { return "" }
        return
            "  ---\n  outcome: \(quoted(inner.outcome.rawValue))\n  message: \(quoted(inner.message))\n  seconds: \(decimal(inner.seconds))\n  ...\n"
    }

    private static func quoted(_ text: String) -> String {
        "\"" + printable(text).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
