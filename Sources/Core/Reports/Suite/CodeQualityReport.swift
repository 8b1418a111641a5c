// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials
package import Suites

/// The findings in the format of GitLab's Code Quality, which GitLab shows in the diff of a merge request.
package enum CodeQualityReport {
    private struct Issue: Encodable {
        struct Location: Encodable {
            struct Lines: Encodable { let begin: Int }

            let path: String
            let lines: Lines

            init(_ place: (path: String, line: Int)) {
                path = place.path
                lines = Lines(begin: place.line)
            }
        }

        /// The explanation, in Markdown.
        struct Content: Encodable { let body: String }

        let description: String
        let check_name: String
        let fingerprint: String
        let severity: String
        /// Absent if there is no explanation.
        let content: Content?
        let location: Location
    }

    /// - Parameters:
    ///   - file: the suite file's path in the repository.
    ///   - pages: URL of the published docs; without it the command that prints a page is named.
    ///   - digest: the SHA-256 of a text, in hexadecimal digits.
    package static func encoded(
        _ results: SuiteResults, file: String, pages: String? = nil, digest: (String) -> String
    ) throws -> Data {
        // GitLab shows only one issue per fingerprint.
        var seen: Set<String> = []
        let issues = GateFinding.all(in: results).compactMap { finding -> Issue? in
            let fingerprint = "\(finding.fingerprint) \(finding.id)"
            guard seen.insert(fingerprint).inserted else { return nil }
            return Issue(
                description: finding.text + (finding.acceptance.map { " Accepted: \($0)" } ?? ""),
                check_name: finding.rule, fingerprint: digest(fingerprint), severity: severity(finding),
                content: finding.explanation(below: pages).map { Issue.Content(body: "More: \($0)") },
                location: Issue.Location(finding.repositoryLine(suite: file)))
        }
        return try encodedForPeople(issues)
    }

    private static func severity(_ finding: GateFinding) -> String {
        if finding.acceptance != nil { return "info" }
        return switch finding.level {
        case .error: "major"
        case .warning: "minor"
        case .note: "info"
        }
    }
}
