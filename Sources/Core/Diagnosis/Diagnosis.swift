/// What the evidence of a check says.
struct Diagnosis {
    /// The rules that it meets: the heaviest first, and of one weight the likeliest cause.
    var findings: [Finding] = []
    /// What was met on both networks.
    var onBothNetworks: [Observation] = []

    /// Takes every rule to the evidence, each by itself; then what other findings make superfluous is left out.
    ///
    /// A client that fails where there is no IPv4 usually fails before its first packet, so the control run tells what it
    /// would have done: which addresses it wanted, and whether the DNS had given them. And what goes wrong there as well is
    /// no problem of IPv6.
    init(_ examination: Examination, rules: [Rule] = Catalogue.all) {
        var met: [(rule: Rule, causes: [Observation], onBothNetworks: [Observation])] = []
        for rule in rules where rule.applies(to: examination) {
            let observations = examination.observations(by: rule)
            var there: Set<Observation.Subject> = []
            if rule.isCompared, let control = examination.control {
                there = Set(rule.observe(Examination(run: control)).map(\.subject))
            }
            met.append(
                (
                    rule, observations.filter { !there.contains($0.subject) },
                    observations.filter { there.contains($0.subject) }
                ))
        }
        let isExplained = met.contains { !$0.rule.isLastResort && !$0.causes.isEmpty }
        for (rule, causes, shared) in met where !(rule.isLastResort && isExplained) {
            let better = met.filter { $0.rule.supersedes.contains(rule.id) }.flatMap(\.causes)
            func isNeeded(_ observation: Observation) -> Bool { !better.contains { $0.supersedes(observation) } }
            let left = causes.filter(isNeeded)
            if !left.isEmpty { findings.append(Finding(rule, left, in: examination)) }
            if examination.failsOnDualStackToo { onBothNetworks += shared.filter(isNeeded) }
        }
        onBothNetworks = onBothNetworks.unique
        findings = Severity.allCases.flatMap { severity in findings.filter { $0.rule.severity == severity } }
    }
}

extension Observation {
    /// Whether it makes another rule's observation superfluous: it is about the same, or about the client as a whole.
    fileprivate func supersedes(_ other: Observation) -> Bool {
        if case .itself = subject { return true }
        return subject == other.subject
    }
}

extension Array where Element: Hashable {
    /// The elements in the order of their first appearance.
    var unique: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
