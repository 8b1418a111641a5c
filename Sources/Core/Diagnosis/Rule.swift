// SPDX-License-Identifier: Apache-2.0
package import Evidence

/// How much a finding weighs, the heaviest first.
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
    /// The same where the client fails, if that weighs more then.
    let severityIfFailing: Severity
    /// What its author can do.
    package let advice: String
    /// What is said instead, to whom writes in these languages.
    let adviceByLanguage: [Language: String]
    /// What is said before all else, where the case at hand shows what the program is made with.
    let fittingAdvice: @Sendable (Examination, [Observation]) -> String?
    /// What can be done besides, in the case at hand.
    let furtherAdvice: @Sendable (Examination) -> String?
    /// The networks on which it says something.
    package let networks: Set<Network>
    /// The clients that it is about.
    let clients: Clients
    /// Whether the control run can meet it as well: what is seen on both networks is no cause.
    let isCompared: Bool
    /// What it takes the absence of for evidence: it says nothing where some of that may be missing from the logs.
    let needs: Set<Completeness>
    /// Whether it says how the client fails and not why: a host that was not ready looks the same.
    let isSymptom: Bool
    /// Whether it says something only if no other rule does.
    let isLastResort: Bool
    /// The numbers of rules whose findings this one's make superfluous, subject by subject: one cause is enough.
    package let supersedes: Set<String>
    /// The number of an older rule that it took over from: what was accepted as that, is accepted as this.
    package let was: String?
    /// What was seen that meets it; nothing if it is not met.
    let observe: @Sendable (Examination) -> [Observation]

    enum Clients {
        case failing, passing, all

        fileprivate func include(_ end: ExitOutcome) -> Bool {
            switch self {
            case .failing: !end.isSuccess
            case .passing: end.isSuccess
            case .all: true
            }
        }
    }

    /// A part of the evidence of a run, and of the control run where there is one.
    enum Completeness {
        /// All questions and answers.
        case queries
        /// All flows.
        case flows
    }

    /// The page that explains it, in the project's tree.
    package var page: String { "docs/rules/\(id).md" }

    init(
        id: String, was: String? = nil, title: String, severity: Severity = .error,
        severityIfFailing: Severity? = nil, advice: String,
        adviceByLanguage: [Language: String] = [:],
        fittingAdvice: @escaping @Sendable (Examination, [Observation]) -> String? = { _, _ in nil },
        furtherAdvice: @escaping @Sendable (Examination) -> String? = { _ in nil },
        networks: Set<Network> = Set(Network.allCases), clients: Clients = .failing, isCompared: Bool = false,
        needs: Set<Completeness> = [], isSymptom: Bool = false, isLastResort: Bool = false,
        supersedes: Set<String> = [],
        observe: @escaping @Sendable (Examination) -> [Observation]
    ) {
        self.id = id
        self.was = was
        self.title = title
        self.severity = severity
        self.severityIfFailing = severityIfFailing ?? severity
        self.advice = advice
        self.adviceByLanguage = adviceByLanguage
        self.fittingAdvice = fittingAdvice
        self.furtherAdvice = furtherAdvice
        self.networks = networks
        self.clients = clients
        self.isCompared = isCompared
        self.needs = needs
        self.isSymptom = isSymptom
        self.isLastResort = isLastResort
        self.supersedes = supersedes
        self.observe = observe
    }

    /// Whether it can say something of a run.
    func applies(to examination: Examination) -> Bool {
        let run = examination.run
        return networks.contains(run.network) && clients.include(run.end)
            && needs.allSatisfy { run.seen.lost.allows($0) && examination.control?.seen.lost.allows($0) != false }
    }
}

extension LostObservations {
    fileprivate func allows(_ need: Rule.Completeness) -> Bool {
        switch need {
        case .queries: queries == 0
        case .flows: flows == 0 && !path
        }
    }
}

extension Rule: Hashable {
    package static func == (one: Rule, other: Rule) -> Bool { one.id == other.id }

    package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension Rule: CustomStringConvertible {
    package var description: String { id }
}
