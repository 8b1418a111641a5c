// SPDX-License-Identifier: Apache-2.0
import Evidence

extension Examination {
    /// What a rule says, of each place in the client that does the same.
    ///
    /// A rule looks for one call, and tells where it stands. The others that differ from it by their places alone meet the rule as well:
    /// each is looked at as if it were the only one.
    func observations(by rule: Rule) -> [Observation] {
        var found = rule.observe(self).unique
        if found.isEmpty { return [] }
        for other in withOneOfSeveralPlaces {
            for observation in rule.observe(other) {
                guard let site = observation.site, site.file != nil || site.function != nil else { continue }
                let same = found.filter { $0.isAboutTheSame(as: observation) }
                if !same.isEmpty, !same.contains(where: { $0.site == site }) { found.append(observation) }
            }
        }
        return found
    }

    /// This, with one call in place of those that do the same from several places: once for each of them.
    private var withOneOfSeveralPlaces: [Examination] {
        let calls = traced
        let groups = Dictionary(grouping: calls.own.filter(\.isAttempt)) { Deed($0) }.values.filter { $0.count > 1 }
        return groups.sorted { $0[0].time < $1[0].time }.prefix(Self.groupLimit).flatMap { group in
            group.map { kept in
                var only = calls
                only.calls.removeAll { $0 != kept && group.contains($0) }
                var examination = self
                if run.calls != nil { examination.run.calls = only } else { examination.again?.calls = only }
                return examination
            }
        }
    }

    /// A program that goes to many hosts from several places each has said enough by then.
    private static let groupLimit = 16
}

/// What a call does, wherever it stands.
private struct Deed: Hashable {
    var name: TracedCall.Name
    var subject: TracedCall.Subject
    var outcome: TracedCall.Outcome

    init(_ call: TracedCall) {
        name = call.name
        subject = call.subject
        outcome = if case .succeeded = call.outcome { .succeeded(0) } else { call.outcome }
    }
}

extension Observation {
    /// Whether it says the same of the same, but for the place.
    fileprivate func isAboutTheSame(as other: Observation) -> Bool {
        if case (.itself, .itself) = (subject, other.subject) { return target == other.target }
        return subject == other.subject
    }
}
