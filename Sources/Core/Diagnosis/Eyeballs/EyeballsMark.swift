// SPDX-License-Identifier: Apache-2.0
package import Evidence

/// What a client did at a step of the ladder, held against RFC 8305 (Happy Eyeballs version 2) and version 3,
/// draft-ietf-happy-happyeyeballs-v3-04.
package struct EyeballsMark: Codable, Hashable, Sendable {
    /// A step of the ladder, by the name of its test.
    package enum Step: String, Codable, Sendable, CaseIterable {
        /// Both families answer.
        case both
        /// Nothing comes back from the IPv6 address.
        case ipv6Silent = "ipv6-silent"
        /// The IPv6 address refuses.
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
        /// The IPv6 address accepts connections and says nothing.
        case tlsSilent = "tls-silent"
        /// An HTTPS record says that there is HTTP/3, and nothing comes back from its port.
        case quicSilent = "quic-silent"
        /// IPv6 alone, with a NAT64 whose prefix the network tells, and no DNS64.
        case pref64

        /// Whether it has a delay that the client chooses, or may be long.
        package var isMeasuredTwice: Bool { self == .ipv6Silent || self == .aaaaLate || self == .aLate }

        /// Of RFC 8305; `nil` where it asks for nothing.
        var section: String? {
            switch self {
            case .both, .manySilent: "4"
            case .ipv6Silent, .ipv6Refused: "5"
            case .aaaaLate, .aLate, .noAAAA, .noA: "3"
            case .httpsLate, .tlsSilent, .quicSilent, .pref64: nil
            }
        }

        /// Of version 3.
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

    /// The best first: of several runs the last that applies is the mark.
    package enum Grade: String, Codable, Sendable, CaseIterable {
        case asRFC = "as RFC 8305"
        /// Of a step for which RFC 8305 asks for nothing.
        case asVersion3 = "as version 3"
        /// What the step is about was not seen.
        case notSeen = "not seen"
        case departs
        /// The client did not get through, and RFC 8305 says how it does.
        case fails
    }

    package var step: Step
    package var grade: Grade
    /// The section of RFC 8305; `nil` where it asks for nothing.
    package var section: String?
    /// The section of version 3.
    package var section3: String
    /// What was measured, such as `IPv4 after 201 ms and 203 ms`.
    package var measured: String
    /// The delays that were measured, in seconds, one a run; empty if the step has none.
    package var seconds: [Double]

    /// - Parameter runs: of the client with the step's name, one at least. The worst of them is the mark.
    package init(_ step: Step, _ runs: [RunEvidence]) {
        let findings = runs.map { run in
            var finding = EyeballsRace(run, step).finding
            // A browser ends well whatever it has seen.
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
