// SPDX-License-Identifier: Apache-2.0
package import Evidence

/// The severity of a finding. The order of the cases, the most severe first, is that of the findings (`Diagnosis`) and of --fail-on
/// (`ExitCode`).
package enum Severity: String, Sendable, CaseIterable {
    /// The client fails because of it.
    case error
    /// The client passes here, and would fail elsewhere.
    case warning
    /// An observation that names no cause of a failure. It may not be the client's fault.
    case note
}

/// A known cause, with the number by which it can be looked up, discussed and searched for.
///
/// Each rule is a value in a file of its own; `Catalogue.all` lists them.
package struct Rule: Sendable {
    /// `V6C-001`. Numbers are never reused.
    package let id: String
    /// The client's behaviour: the rest of a sentence that begins with "It".
    package let title: String
    package let severity: Severity
    /// The severity if the client passes; the same as `severity` unless the rule sets it.
    package let severityIfPassing: Severity
    /// Advice for the client's author.
    package let advice: String
    /// Advice instead of `advice` for programs in these languages.
    let adviceByLanguage: [Language: String]
    /// Advice instead of `adviceByLanguage` and `advice`, if the evidence allows a more specific one (such as for the web framework);
    /// otherwise `nil`.
    let fittingAdvice: @Sendable (Examination, [Observation]) -> String?
    /// A sentence that is appended to the advice; `nil` if the evidence calls for none.
    let furtherAdvice: @Sendable (Examination) -> String?
    /// The networks on which it applies.
    package let networks: Set<Network>
    /// Whether it applies to clients that fail, to clients that pass, or to both (by `ExitOutcome`).
    let clients: Clients
    /// Whether it is applied to the control run, too: a subject that is observed on both networks is not a cause.
    let isCompared: Bool
    /// Logs in which a missing entry is evidence for this rule. It does not apply if such a log is incomplete.
    let needs: Set<Completeness>
    /// Whether it describes how the client fails and not why: a host that was not ready looks the same.
    let isSymptom: Bool
    /// Whether it is used only if no other rule is met.
    let isLastResort: Bool
    /// The IDs of rules whose observations are dropped if this rule has one with the same subject or target, or one about the whole client:
    /// one cause is enough.
    package let supersedes: Set<String>
    /// The ID of an older rule that this one replaces: known failures and baselines that name it stay valid.
    package let was: String?
    /// The observations that meet it; empty if it is not met.
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

    /// A log that must be complete, in the run and in the control run if there is one.
    enum Completeness {
        /// The DNS queries and their answers.
        case queries
        /// The flows.
        case flows
    }

    /// The page that explains it, as a path in the repository.
    package var page: String { "docs/rules/\(id).md" }

    init(
        id: String, was: String? = nil, title: String, severity: Severity = .error,
        severityIfPassing: Severity? = nil, advice: String,
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
        self.severityIfPassing = severityIfPassing ?? severity
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

    /// The advice for programs in a language.
    func advice(for language: Language?) -> String { language.flatMap { adviceByLanguage[$0] } ?? advice }

    /// Whether it applies to a run.
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
