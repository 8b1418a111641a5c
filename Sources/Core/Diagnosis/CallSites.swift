// SPDX-License-Identifier: Apache-2.0
import Evidence

extension Examination {
    /// The observations of a rule at every place in the client that makes the same call.
    ///
    /// A rule looks for one call and reports its place. Calls that differ from it in their place alone meet the rule as well: the rule
    /// examines each as if it were the only one.
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

    /// Copies of this examination for calls that the client makes from several places: each copy keeps one call of such a group.
    private var withOneOfSeveralPlaces: [Examination] {
        let calls = traced
        // A name server is asked from many places, for many names.
        let attempts = calls.own.filter { $0.isAttempt && $0.address?.port != 53 }
        let groups = Dictionary(grouping: attempts) { Deed($0) }.values.filter { $0.count > 1 }
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

    /// The limit for a program that goes to many hosts from several places each: by then it has shown enough.
    private static let groupLimit = 16
}

/// A call without its place.
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
    /// Whether it states the same about the same subject, apart from the place.
    fileprivate func isAboutTheSame(as other: Observation) -> Bool {
        if case (.itself, .itself) = (subject, other.subject) { return target == other.target }
        return subject == other.subject
    }
}
