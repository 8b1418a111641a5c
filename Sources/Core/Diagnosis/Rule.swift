import Evidence

/// How much a finding weighs.
package enum Severity: String, Sendable, CaseIterable {
    /// The client fails because of it.
    case error
    /// The client passes, and would not everywhere.
    case warning
    /// It tells of something that is no fault of the client's.
    case note
}

/// A cause that we know, with the number by which it can be looked up, discussed and searched for.
///
/// Each is a value in a file of its own; `Catalogue.all` is the list of them.
package struct Rule: Sendable {
    /// `V6C-001`; numbers are never given twice.
    package let id: String
    /// What the client does: the rest of a sentence that begins with "It".
    package let title: String
    package let severity: Severity
    /// What its author can do.
    package let advice: String
    /// What can be done besides, in the case at hand.
    let furtherAdvice: @Sendable (Examination) -> String?
    /// The networks on which it says something.
    let networks: Set<Network>
    /// Whether it is about clients that pass; the others are about those that fail.
    let isForPasses: Bool
    /// Whether the control run can meet it as well: what is seen on both networks is no cause.
    let isCompared: Bool
    /// The rule whose finding makes this one's superfluous: one cause is enough.
    let supersededBy: String?
    /// What was seen that meets it; nothing where it is not met.
    let observe: @Sendable (Examination) -> [Observation]

    init(
        id: String, title: String, severity: Severity = .error, advice: String,
        furtherAdvice: @escaping @Sendable (Examination) -> String? = { _ in nil },
        networks: Set<Network> = Set(Network.allCases), isForPasses: Bool = false, isCompared: Bool = false,
        supersededBy: String? = nil,
        observe: @escaping @Sendable (Examination) -> [Observation]
    ) {
        self.id = id
        self.title = title
        self.severity = severity
        self.advice = advice
        self.furtherAdvice = furtherAdvice
        self.networks = networks
        self.isForPasses = isForPasses
        self.isCompared = isCompared
        self.supersededBy = supersededBy
        self.observe = observe
    }
}

extension Rule: Hashable {
    package static func == (one: Rule, other: Rule) -> Bool { one.id == other.id }

    package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension Rule: CustomStringConvertible {
    package var description: String { id }
}

/// One thing that was seen and meets a rule.
struct Observation: Hashable, Sendable {
    /// What it is about, in words that are the same on every network and in every rule. Two rules that say something of the
    /// same subject explain the same thing, and the first has the word.
    var subject: String
    /// What was seen, for people.
    var sentence: String

    init(_ subject: String, _ sentence: String) {
        self.subject = subject
        self.sentence = sentence
    }

    /// Of a network that has no counterpart.
    init(_ sentence: String) {
        self.init(sentence, sentence)
    }
}
