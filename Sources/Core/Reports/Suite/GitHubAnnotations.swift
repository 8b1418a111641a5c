// SPDX-License-Identifier: Apache-2.0
package import Suites
import Text

/// Red cases as workflow commands, which GitHub shows at the line of the call in the client's source where the repository has it, and
/// else at the test's in the suite file. It shows ten errors and ten warnings of a step and
/// drops the others silently, so the tenth says how many there are.
package enum GitHubAnnotations {
    private static let limit = 10

    private struct Annotation: Hashable {
        /// `nil` is the suite file.
        var path: String?
        var line: Int
        var title: String
        var text: String
    }

    /// - Parameter pages: where the pages of docs are published, as a URL; without it they are named by their paths.
    package static func render(_ results: SuiteResults, file: String, pages: String? = nil) -> String {
        // The worst first: what is red for its network, then what could not be run, then what fails everywhere.
        let order: [CaseOutcome] = [
            .newDependency, .fail, .timeout, .expired, .fixed, .error, .broken, .flaky, .leak, .cancelled,
        ]
        let errors = order.flatMap { outcome in results.red.filter { $0.outcome == outcome } }.flatMap {
            annotations($0, pages)
        }
        let warnings =
            results.cases.filter { !$0.isRed && [.flaky, .leak, .fixed].contains($0.outcome) }.flatMap {
                annotations($0, pages)
            }
            + results.cases.flatMap { result in
                result.warnings.map {
                    Annotation(line: result.line, title: "a known failure ends soon", text: "\(result.id): \($0)")
                }
            }
        return lines("error", errors, file) + lines("warning", warnings, file)
    }

    /// One for each line of the repository from which the client does what its rule says.
    private static func annotations(_ result: CaseResult, _ pages: String?) -> [Annotation] {
        // Of the findings of its rule, one that the repository has a line of.
        let causes = result.findings.filter { $0.rule == result.rule }
        guard let cause = causes.first(where: { $0.state == .new && $0.location?.path != nil }) else {
            return [annotation(result, causes.first, pages)]
        }
        return causes.filter { $0.state == .new && $0.location?.path != nil && $0.target == cause.target }.map {
            annotation(result, $0, pages)
        }
    }

    private static func annotation(
        _ result: CaseResult, _ cause: CaseResult.Finding?, _ pages: String?
    ) -> Annotation {
        let shown = cause.map { GateFinding($0, of: result) }
        let place = shown?.repositoryLine(suite: "")
        let text = result.message.isEmpty ? result.id : "\(result.id): \(result.message)"
        return Annotation(
            path: cause?.location?.path, line: place?.line ?? result.line,
            title: cause.map { "\($0.rule) \($0.title)" } ?? result.outcome.rawValue,
            text: ([text] + (cause.map(details) ?? []) + (shown.map { ["See \($0.page(below: pages))."] } ?? []))
                .joined(separator: "\n"))
    }

    /// What a person wants to know at the line: the call, and where the address is from.
    private static func details(_ finding: CaseResult.Finding) -> [String] {
        let place = finding.location.map { " (\($0.text))" } ?? ""
        let origin = finding.origin.map { ["The address comes from \($0.text)."] } ?? []
        return [finding.text + place] + origin
    }

    private static func lines(_ level: String, _ annotations: [Annotation], _ file: String) -> String {
        let hidden = annotations.count - limit
        return annotations.prefix(limit).enumerated().map { index, annotation in
            let more = index == limit - 1 && hidden > 0 ? " (and \(hidden) more: see the log)" : ""
            return
                "::\(level) file=\(property(annotation.path ?? file)),line=\(annotation.line),title=\(property(annotation.title))::\(data(annotation.text + more))\n"
        }.joined()
    }

    private static func data(_ text: String) -> String {
        text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
    }

    private static func property(_ text: String) -> String {
        data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
    }
}
