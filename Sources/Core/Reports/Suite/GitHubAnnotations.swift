package import Suites
import Text

/// Red cases as workflow commands, which GitHub shows at the lines of the suite file. It shows ten errors and ten warnings of a step and
/// drops the others silently, so the tenth says how many there are.
package enum GitHubAnnotations {
    private static let limit = 10

    private struct Annotation: Hashable {
        var line: Int
        var title: String
        var text: String
    }

    package static func render(_ results: SuiteResults, file: String) -> String {
        // The worst first: what is red for its network, then what could not be run, then what fails everywhere.
        let order: [CaseOutcome] = [
            .newDependency, .fail, .timeout, .expired, .fixed, .error, .broken, .flaky, .leak, .cancelled,
        ]
        let errors = order.flatMap { outcome in results.red.filter { $0.outcome == outcome } }.map(annotation)
        let warnings =
            results.cases.filter { !$0.isRed && [.flaky, .leak, .fixed].contains($0.outcome) }.map(annotation)
            + results.cases.flatMap { result in
                result.warnings.map {
                    Annotation(line: result.line, title: "a known failure ends soon", text: "\(result.id): \($0)")
                }
            }
        return lines("error", errors, file) + lines("warning", warnings, file)
    }

    private static func annotation(_ result: CaseResult) -> Annotation {
        let title = result.findings.first { $0.rule == result.rule }.map { "\($0.rule) \($0.title)" }
        return Annotation(
            line: result.line, title: title ?? result.outcome.rawValue,
            text: result.message.isEmpty ? result.id : "\(result.id): \(result.message)")
    }

    private static func lines(_ level: String, _ annotations: [Annotation], _ file: String) -> String {
        let hidden = annotations.count - limit
        return annotations.prefix(limit).enumerated().map { index, annotation in
            let more = index == limit - 1 && hidden > 0 ? " (and \(hidden) more: see the log)" : ""
            return
                "::\(level) file=\(property(file)),line=\(annotation.line),title=\(property(annotation.title))::\(data(annotation.text + more))\n"
        }.joined()
    }

    private static func data(_ text: String) -> String {
        text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
    }

    private static func property(_ text: String) -> String {
        data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
    }
}
