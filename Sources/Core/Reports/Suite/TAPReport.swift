package import Suites
import Text

/// The results of a suite as TAP 14 (https://testanything.org/tap-version-14-specification.html).
package enum TAPReport {
    package static func render(_ results: SuiteResults) -> String {
        var text = "TAP version 14\n1..\(results.cases.count)\n"
        for (index, result) in results.cases.enumerated() {
            let state = result.isRed && result.outcome != .fixed || result.outcome == .known ? "not ok" : "ok"
            text += "\(state) \(index + 1) - \(result.id)\(directive(result))\n"
            text += diagnostics(result)
        }
        return text
    }

    private static func directive(_ result: CaseResult) -> String {
        switch result.outcome {
        case .known: " # TODO \(line(result.message))"
        case .fixed where result.isRed: " # TODO \(line(result.message))"
        case .skip: " # SKIP \(line(result.message))"
        default: ""
        }
    }

    /// Text behind `#` ends with the line; `#` and `\` are escaped.
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

    private static func quoted(_ text: String) -> String {
        "\"" + printable(text).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
