// SPDX-License-Identifier: Apache-2.0
/// A part of a source that will not work on an IPv6-only network, or may not.
package struct SourceFinding: Hashable, Sendable {
    package var rule: SourceRule
    package var certainty: Certainty
    /// From 1; 0 for a binary, which has no lines.
    package var line: Int
    /// From 1, in code points; 0 for a binary.
    package var column: Int
    /// A sentence without its full stop.
    package var text: String

    package init(rule: SourceRule, certainty: Certainty = .sure, line: Int, column: Int, text: String) {
        self.rule = rule
        self.certainty = certainty
        self.line = line
        self.column = column
        self.text = text
    }
}

/// The condition for a finding to be worth a developer's time; chosen by how many findings in other projects' sources were right
/// (docs/scan.md).
package enum Certainty: Sendable {
    /// In any case.
    case sure
    /// If no other file of the folder supports IPv6; otherwise this one may be the half for IPv4, or a fallback.
    case unlessBesideIPv6
    /// Mostly a false positive: reported only on request.
    case possible
}

/// The rules that a source can break; their numbers and pages are those of the rules for runs.
package enum SourceRule: String, CaseIterable, Sendable {
    case literalAddress = "V6C-001"
    case asksForIPv4Only = "V6C-002"
    case ignoresIPv6Answer = "V6C-003"
    case joinsWithoutBrackets = "V6C-008"
    case passesShortLength = "V6C-015"
    case knowsIPv4SocketsOnly = "V6C-060"
    case acceptsDottedQuadsOnly = "V6C-061"
    case listensOnIPv4Only = "V6C-062"

    /// The title of the rule's page.
    package var title: String {
        switch self {
        case .literalAddress: "connects to an IPv4 address, not to a name"
        case .asksForIPv4Only: "asks the DNS for IPv4 addresses only"
        case .ignoresIPv6Answer: "gets an IPv6 address and does not use it"
        case .joinsWithoutBrackets: "joins host and port without the brackets of an IPv6 address"
        case .passesShortLength: "passes the length of an IPv4 socket address with an IPv6 one"
        case .knowsIPv4SocketsOnly: "has sockets for IPv4 only"
        case .acceptsDottedQuadsOnly: "takes an address for four numbers with dots"
        case .listensOnIPv4Only: "listens on 0.0.0.0 only"
        }
    }

    /// The rules that a run may report for the same mistake; which one depends on how the program continues.
    package var rulesOfRuns: Set<String> {
        switch self {
        case .literalAddress: [rawValue, "V6C-009", "V6C-020", "V6C-035"]
        case .asksForIPv4Only: [rawValue, "V6C-016", "V6C-019", "V6C-056"]
        case .ignoresIPv6Answer: [rawValue, "V6C-044"]
        case .joinsWithoutBrackets: [rawValue, "V6C-033", "V6C-044"]
        case .passesShortLength: [rawValue]
        case .knowsIPv4SocketsOnly: ["V6C-016", "V6C-017", "V6C-018", "V6C-023", "V6C-025"]
        case .acceptsDottedQuadsOnly: ["V6C-003", "V6C-033", "V6C-044"]
        case .listensOnIPv4Only: ["V6C-022", "V6C-025"]
        }
    }
}
