// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials
package import SourceScan

/// Where in the sources a run failed, from its report (`ipv6check --json`): a scan's finding there is one that was met.
package struct MetLocations: Sendable {
    private struct Report: Decodable {
        let findings: [Finding]
    }

    private struct Finding: Decodable {
        let rule: String
        let observations: [Observation]
    }

    private struct Observation: Decodable {
        let file: String?
        let line: Int?
        let origin: Origin?
    }

    private struct Origin: Decodable {
        let file: String?
        let line: Int?
    }

    private struct Place {
        let rule, file: String
        let line: Int?
    }

    private var places: [Place] = []

    /// More would be no report that a person reads.
    private static let limit = 10_000

    /// - Throws: what the decoder says of octets that are no report of a run.
    package init(report: Data) throws {
        for finding in try JSONDecoder().decode(Report.self, from: report).findings {
            for observation in finding.observations where places.count < Self.limit {
                if let file = observation.file {
                    places.append(Place(rule: finding.rule, file: file, line: observation.line))
                }
                if let origin = observation.origin, let file = origin.file {
                    places.append(Place(rule: finding.rule, file: file, line: origin.line))
                }
            }
        }
    }

    /// Whether a finding's line is one of the run's, or the run met what the same mistake leads to in the same file: the line of the
    /// call is often not the one of the address.
    package func contains(_ finding: SourceFinding, in path: String) -> Bool {
        let rules = finding.rule.rulesOfRuns
        return places.contains {
            (rules.contains($0.rule) || $0.line == finding.line) && Self.isSame($0.file, path)
        }
    }

    /// A run names a file from where the client was started, or as the compiler did; a scan from where it was started.
    private static func isSame(_ one: String, _ other: String) -> Bool {
        let one = components(one)
        let other = components(other)
        let count = min(one.count, other.count)
        return count > 0 && one.suffix(count).elementsEqual(other.suffix(count))
    }

    private static func components(_ path: String) -> [Substring] { path.split(separator: "/").filter { $0 != "." } }
}
