// SPDX-License-Identifier: Apache-2.0
package import Evidence

/// The grade of a client at a step of the ladder, by RFC 8305 (Happy Eyeballs version 2) and version 3,
/// draft-ietf-happy-happyeyeballs-v3-04.
package struct EyeballsMark: Codable, Hashable, Sendable {
    /// A step of the ladder; the raw value is the name of its test.
    package enum Step: String, Codable, Sendable, CaseIterable {
        /// Both families answer.
        case both
        /// Nothing comes back from the IPv6 address.
        case ipv6Silent = "ipv6-silent"
        /// The IPv6 address refuses connections.
        case ipv6Refused = "ipv6-refused"
        /// The answer to AAAA is two seconds late.
        case aaaaLate = "aaaa-late"
        /// The answer to A is two seconds late.
        case aLate = "a-late"
        /// There is no AAAA record.
        case noAAAA = "no-aaaa"
        /// There is no A record.
        case noA = "no-a"
        /// Nothing comes back from three IPv6 addresses and the first IPv4 address.
        case manySilent = "many-silent"
        /// The answer to HTTPS (RFC 9460) is two seconds late.
        case httpsLate = "https-late"
        /// The IPv6 address accepts connections and sends nothing.
        case tlsSilent = "tls-silent"
        /// An HTTPS record announces HTTP/3, and nothing comes back from its port.
        case quicSilent = "quic-silent"
        /// IPv6 alone, with a NAT64 whose prefix the network announces, and no DNS64.
        case pref64

        /// Whether it has a delay that the client chooses, or that may be long.
        package var isMeasuredTwice: Bool { self == .ipv6Silent || self == .aaaaLate || self == .aLate }

        /// The section of RFC 8305; `nil` if it requires nothing.
        var section: String? {
            switch self {
            case .both, .manySilent: "4"
            case .ipv6Silent, .ipv6Refused: "5"
            case .aaaaLate, .aLate, .noAAAA, .noA: "3"
            case .httpsLate, .tlsSilent, .quicSilent, .pref64: nil
            }
        }

        /// The section of version 3.
        var section3: String {
            switch self {
            case .both, .manySilent: "5.3"
            case .ipv6Silent, .ipv6Refused, .quicSilent: "6"
            case .aaaaLate, .aLate, .noAAAA, .noA, .httpsLate: "4.2"
            case .tlsSilent: "6.1"
            case .pref64: "8.2"
            }
        }
    }

    /// The best first. The mark of several runs is the last grade among theirs.
    package enum Grade: String, Codable, Sendable, CaseIterable {
        case asRFC = "as RFC 8305"
        /// As version 3 requires, at a step for which RFC 8305 requires nothing.
        case asVersion3 = "as version 3"
        /// The behaviour that the step is about was not seen.
        case notSeen = "not seen"
        case departs
        /// The client did not get through at a step that RFC 8305 covers.
        case fails
    }

    package var step: Step
    package var grade: Grade
    /// The section of RFC 8305; `nil` if it requires nothing.
    package var section: String?
    /// The section of version 3.
    package var section3: String
    /// The measurement, such as `IPv4 after 201 ms and 203 ms`.
    package var measured: String
    /// The measured delays in seconds, one for each run; empty if the step has none.
    package var seconds: [Double]

    /// - Parameter runs: the client's runs with the step's name, at least one. The worst of them is the mark.
    package init(_ step: Step, _ runs: [RunEvidence]) {
        let findings = runs.map { run in
            var finding = EyeballsRace(run, step).finding
            // A browser's exit status is success whatever it has seen, so an answer is required as well.
            if !(run.end.isSuccess && run.isAnswered) {
                if step.section != nil {
                    finding.grade = .fails
                } else if finding.grade != .notSeen {
                    finding.grade = .departs
                }
            } else if finding.grade == .asRFC, step.section == nil {
                finding.grade = .asVersion3
            }
            return finding
        }
        self.step = step
        (section, section3) = (step.section, step.section3)
        grade = Grade.allCases.last { grade in findings.contains { $0.grade == grade } } ?? .notSeen
        measured = Self.measured(findings)
        seconds = findings.compactMap { $0.delay.map { $0 / .seconds(1) } }
    }

    private static func measured(_ findings: [EyeballsRace.Finding]) -> String {
        guard let first = findings.first else { return "" }
        let delays = findings.compactMap(\.delay).map(text)
        let isAlike =
            delays.count == findings.count
            && findings.allSatisfy { $0.before == first.before && $0.after == first.after }
        if isAlike { return first.before + delays.joined(separator: " and ") + first.after }
        var texts: [String] = []
        for finding in findings {
            let text = finding.before + (finding.delay.map(Self.text) ?? "") + finding.after
            if !texts.contains(text) { texts.append(text) }
        }
        return texts.joined(separator: "; again: ")
    }

    private static func text(_ delay: Duration) -> String {
        let milliseconds = Int((delay / .milliseconds(1)).rounded())
        return milliseconds < 1000 ? "\(milliseconds) ms" : "\(Double(milliseconds / 10) / 100) s"
    }
}
