// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials
package import SourceScan

/// Places in the sources where a run failed, from its report (`ipv6check --json`): they confirm a scan's findings.
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

    /// A report with more is none that a person reads.
    private static let limit = 10_000

    /// - Throws: the decoder's error if the octets are no report of a run.
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

    /// Whether the run confirms a finding: its line is one of the run's, or the run met the consequence of the same mistake in the same
    /// file. The line of the call is often not the one of the address.
    package func contains(_ finding: SourceFinding, in path: String) -> Bool {
        let rules = finding.rule.rulesOfRuns
        return places.contains {
            (rules.contains($0.rule) || $0.line == finding.line) && Self.isSame($0.file, path)
        }
    }

    /// A run's file names are relative to where the client was started, or as the compiler wrote them; a scan's are relative to where the
    /// scan was started.
    private static func isSame(_ one: String, _ other: String) -> Bool {
        let one = components(one)
        let other = components(other)
        let count = min(one.count, other.count)
        return count > 0 && one.suffix(count).elementsEqual(other.suffix(count))
    }

    private static func components(_ path: String) -> [Substring] { path.split(separator: "/").filter { $0 != "." } }
}
