// SPDX-License-Identifier: Apache-2.0
import Diagnosis
package import FoundationEssentials
package import Suites
import Text

/// The findings as SARIF 2.1.0 (OASIS), which GitHub's code scanning reads.
///
/// Accepted findings have a suppression; entries of the baseline that no finding matches any more are `absent`.
package struct SARIFReport: Encodable {
    private let schema = "https://json.schemastore.org/sarif-2.1.0.json"
    private let version = "2.1.0"
    private let runs: [Run]

    /// GitHub's limit of results per run.
    private static let limit = 5_000

    private enum CodingKeys: String, CodingKey {
        case schema = "$schema"
        case version, runs
    }

    /// - Parameters:
    ///   - file: the suite file's path in the repository.
    ///   - pages: URL of the published docs; without it findings have no link.
    ///   - digest: the SHA-256 of a text, in hexadecimal digits.
    package init(
        _ results: SuiteResults, exitCode: Int32, file: String, pages: String? = nil, digest: (String) -> String
    ) {
        let found = GateFinding.all(in: results)
        let shown = found.prefix(Self.limit)
        let gone = results.gone.prefix(Self.limit - shown.count).map(GateFinding.init(gone:))
        var rules: [Rule] = []
        var places: [String: Int] = [:]
        for finding in shown + gone where places[finding.rule] == nil {
            places[finding.rule] = rules.count
            rules.append(Rule(finding, pages: pages))
        }
        func result(_ finding: GateFinding, _ state: String) -> Result {
            Result(finding, place: places[finding.rule] ?? 0, state: state, suite: file, digest(finding.fingerprint))
        }
        let hidden = found.count + results.gone.count - shown.count - gone.count
        runs = [
            Run(
                tool: Tool(driver: Driver(rules: rules)),
                automationDetails: Details(id: "ipv6check/\(results.header.suite)"),
                invocations: [Invocation(exitCode: exitCode, hidden: hidden)],
                results: shown.map { result($0, $0.isNew ? "new" : "unchanged") } + gone.map { result($0, "absent") })
        ]
    }

    package func encoded() throws -> Data { try encodedForPeople(self) }

    // MARK: - The format's objects, by their names there

    private struct Run: Encodable {
        let tool: Tool
        let automationDetails: Details
        let invocations: [Invocation]
        let columnKind = "unicodeCodePoints"
        let results: [Result]
    }

    private struct Tool: Encodable { let driver: Driver }

    private struct Driver: Encodable {
        let name = "ipv6check"
        let version = ProgramVersion.current
        let rules: [Rule]
    }

    private struct Details: Encodable { let id: String }

    private struct Text: Encodable {
        let text: String
        var markdown: String?
    }

    private struct Rule: Encodable {
        let id: String
        let shortDescription: Text
        let helpUri: String?
        let help: Text

        init(_ finding: GateFinding, pages: String?) {
            id = finding.rule
            let rule = finding.known
            let title = rule.map { "It \($0.title)." } ?? finding.title
            shortDescription = Text(text: title.isEmpty ? finding.rule : title)
            let advice = rule?.advice ?? "See the report of the case."
            let more = finding.explanation(below: pages).map { " (\($0))" } ?? ""
            help = Text(text: advice + more, markdown: nil)
            helpUri = pages.map { finding.page(below: $0) }
        }
    }

    private struct Invocation: Encodable {
        struct Notification: Encodable {
            let level = "warning"
            let message: Text
        }

        let executionSuccessful = true
        let exitCode: Int32
        let toolExecutionNotifications: [Notification]?

        init(exitCode: Int32, hidden: Int) {
            self.exitCode = exitCode
            toolExecutionNotifications =
                hidden == 0
                ? nil
                : [
                    Notification(
                        message: Text(
                            text:
                                "\(counted(hidden, "more finding is", "more findings are")) not in this file, the lightest."
                        ))
                ]
        }
    }

    private struct Result: Encodable {
        struct Suppression: Encodable {
            let kind = "external"
            let justification: String
        }

        let ruleId: String
        let ruleIndex: Int
        let kind: String
        let level: String
        let message: Text
        let locations: [Location]
        /// The test in the suite file, and the address's origin.
        let relatedLocations: [Location]?
        let partialFingerprints: [String: String]
        let baselineState: String
        let suppressions: [Suppression]?

        init(_ finding: GateFinding, place: Int, state: String, suite: String, _ digest: String) {
            ruleId = finding.rule
            ruleIndex = place
            // An absent result is no failure (SARIF §3.27.9 and §3.27.10).
            kind = state == "absent" ? "pass" : "fail"
            level = state == "absent" ? "none" : finding.level.rawValue
            message = Text(text: finding.text)
            locations = [Location(finding, suite: suite)]
            let related = Location.related(to: finding, suite: suite)
            relatedLocations = related.isEmpty ? nil : related
            partialFingerprints = ["ipv6check/v1": digest]
            baselineState = state
            suppressions = finding.acceptance.map { [Suppression(justification: $0)] }
        }
    }

    private struct Location: Encodable {
        struct Physical: Encodable {
            struct Artifact: Encodable { let uri: String }
            struct Region: Encodable { let startLine: Int }

            let artifactLocation: Artifact
            let region: Region
        }

        /// A place whose file is not in the repository.
        struct Logical: Encodable {
            let name: String
            let fullyQualifiedName: String
            let kind: String
        }

        private(set) var id: Int?
        let physicalLocation: Physical
        private(set) var logicalLocations: [Logical]?
        private(set) var message: Text?

        private init(_ path: String, line: Int) {
            physicalLocation = Physical(
                artifactLocation: Physical.Artifact(uri: uriReference(path)),
                region: Physical.Region(startLine: max(1, line)))
        }

        /// The place at which the finding is shown: the call or the address if the repository has the file, otherwise the test, as GitHub
        /// shows no finding without a physical location.
        init(_ finding: GateFinding, suite: String) {
            let place = finding.repositoryLine(suite: suite)
            self.init(place.path, line: place.line)
            guard let call = finding.location else { return }
            if call.path != nil, call.function == nil { return }
            logicalLocations = [
                Logical(
                    name: call.function ?? baseName(call.file),
                    fullyQualifiedName: call.function.map { "\(call.text) \($0)" } ?? call.text,
                    kind: call.function == nil ? "resource" : "function")
            ]
        }

        static func related(to finding: GateFinding, suite: String) -> [Location] {
            var related: [Location] = []
            // Only if it is not the place at which the finding is shown.
            if finding.location?.path != nil, let path = finding.origin?.place?.path {
                var location = Location(path, line: finding.origin?.place?.line ?? 1)
                location.message = Text(text: "The address comes from here.")
                related.append(location)
            }
            if repositoryPlace(finding.location, finding.origin) != nil {
                var location = Location(suite, line: finding.line)
                location.message = Text(text: "The case \(finding.id) is of this test.")
                related.append(location)
            }
            for index in related.indices { related[index].id = index + 1 }
            return related
        }
    }
}

/// A path as a URI reference (RFC 3986 §3.3); a colon in its first segment would make that a scheme.
func uriReference(_ path: String) -> String {
    let text = percentEncoded(path, keeping: "/")
    return text.hasPrefix("//") ? "/." + text : text
}
