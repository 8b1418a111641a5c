// SPDX-License-Identifier: Apache-2.0
package import Suites
import Text

/// Red cases as workflow commands. GitHub shows them at the line of the call in the client's source if the repository has it, otherwise at
/// the test's line in the suite file. One annotation per line, as many tests may fail because of the same call. GitHub shows ten errors and
/// ten warnings per step and drops the others silently, so the tenth gives their number.
package enum GitHubAnnotations {
    private static let limit = 10

    private enum Level: String { case error, warning }

    private struct Annotation {
        var level: Level
        var path: String
        var line: Int
        var title: String
        var text: [String]
        /// The explanation: a URL or a command.
        var more: String?
    }

    private struct Location: Hashable {
        let path: String
        let line: Int
    }

    /// - Parameters:
    ///   - file: the suite file's path in the repository.
    ///   - pages: URL of the published docs; without it the command that prints a page is named.
    package static func render(_ results: SuiteResults, file: String, pages: String? = nil) -> String {
        // The worst first: cases that are red for their network, then those that could not be run, then those that fail everywhere.
        let order: [CaseOutcome] = [
            .newDependency, .fail, .timeout, .expired, .fixed, .error, .broken, .flaky, .leak, .cancelled,
        ]
        let errors = order.flatMap { outcome in results.red.filter { $0.outcome == outcome } }.flatMap {
            annotations(.error, $0, file, pages)
        }
        let warnings =
            results.cases.filter { !$0.isRed && [.flaky, .leak, .fixed].contains($0.outcome) }.flatMap {
                annotations(.warning, $0, file, pages)
            }
            + results.cases.flatMap { result in
                result.warnings.map {
                    Annotation(
                        level: .warning, path: file, line: result.line, title: "a known failure ends soon",
                        text: ["\(result.id): \($0)"])
                }
            }
        let merged = merged(errors + warnings)
        return [Level.error, .warning].map { level in lines(merged.filter { $0.level == level }) }.joined()
    }

    /// One for each line of a file: the first annotation of the line, with additions from the others.
    private static func merged(_ annotations: [Annotation]) -> [Annotation] {
        var merged: [(annotation: Annotation, explanations: [String])] = []
        var indices: [Location: Int] = [:]
        for annotation in annotations {
            let location = Location(path: annotation.path, line: annotation.line)
            guard let index = indices[location] else {
                indices[location] = merged.count
                merged.append((annotation, annotation.more.map { [$0] } ?? []))
                continue
            }
            let title = merged[index].annotation.title == annotation.title ? [] : [annotation.title]
            for line in title + annotation.text where !merged[index].annotation.text.contains(line) {
                merged[index].annotation.text.append(line)
            }
            if let more = annotation.more, !merged[index].explanations.contains(more) {
                merged[index].explanations.append(more)
            }
        }
        return merged.map { annotation, explanations in
            var annotation = annotation
            if !explanations.isEmpty { annotation.text.append("More: \(explanations.joined(separator: ", "))") }
            return annotation
        }
    }

    /// One for each line of the repository from which the client breaks the case's rule.
    private static func annotations(
        _ level: Level, _ result: CaseResult, _ file: String, _ pages: String?
    ) -> [Annotation] {
        // A finding of the case's rule with a line in the repository.
        let causes = result.findings.filter { $0.rule == result.rule }
        let shown = causes.filter { $0.state == .new && repositoryPlace($0.location, $0.origin) != nil }
        guard let cause = shown.first else { return [annotation(level, result, causes.first, file, pages)] }
        return shown.filter { $0.target == cause.target }.map { annotation(level, result, $0, file, pages) }
    }

    private static func annotation(
        _ level: Level, _ result: CaseResult, _ cause: CaseResult.Finding?, _ file: String, _ pages: String?
    ) -> Annotation {
        let shown = cause.map { GateFinding($0, of: result) }
        let place = shown?.repositoryLine(suite: file) ?? (path: file, line: result.line)
        let text = result.message.isEmpty ? result.id : "\(result.id): \(result.message)"
        return Annotation(
            level: level, path: place.path, line: place.line,
            title: cause.map { "\($0.rule) \($0.title)" } ?? result.outcome.rawValue,
            text: [text] + (cause.map(details) ?? []), more: shown?.explanation(below: pages))
    }

    /// The details at the line: the call, and the address's origin.
    private static func details(_ finding: CaseResult.Finding) -> [String] {
        let place = finding.location.map { " (\($0.text))" } ?? ""
        let origin = finding.origin.map { ["The address comes \($0.source)."] } ?? []
        return [finding.text + place] + origin
    }

    private static func lines(_ annotations: [Annotation]) -> String {
        let hidden = annotations.count - limit
        return annotations.prefix(limit).enumerated().map { index, annotation in
            let more = index == limit - 1 && hidden > 0 ? " (and \(hidden) more: see the log)" : ""
            let text = data(annotation.text.joined(separator: "\n") + more)
            return
                "::\(annotation.level) file=\(property(annotation.path)),line=\(annotation.line),title=\(property(annotation.title))::\(text)\n"
        }.joined()
    }

    private static func data(_ text: String) -> String {
        text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
    }

    private static func property(_ text: String) -> String {
        data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
    }
}
