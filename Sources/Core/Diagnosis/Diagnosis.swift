import Evidence

/// What the evidence of a check says.
struct Diagnosis {
    /// The rules that it meets, the likeliest cause first.
    var findings: [Finding] = []
    /// What was met on both networks, a sentence each.
    var onBothNetworks: [String] = []
}

/// Takes every rule to the evidence.
///
/// A client that fails where there is no IPv4 usually fails before its first packet, so the control run tells what it would
/// have done: which addresses it wanted, and whether the DNS had given them. And what goes wrong there as well is no problem of
/// IPv6.
func diagnose(_ examination: Examination) -> Diagnosis {
    var examination = examination
    var diagnosis = Diagnosis()
    var explained: Set<String> = []
    let run = examination.run
    for rule in Catalogue.all where rule.networks.contains(run.network) && rule.isForPasses == run.end.isSuccess {
        if diagnosis.findings.contains(where: { $0.rule.id == rule.supersededBy }) { continue }
        examination.isExplained = !diagnosis.findings.isEmpty
        var observations = rule.observe(examination).filter { !explained.contains($0.subject) }
        if rule.isCompared, let control = examination.control {
            let there = Set(rule.observe(Examination(run: control)).map(\.subject))
            if examination.failsOnDualStackToo {
                diagnosis.onBothNetworks += observations.filter { there.contains($0.subject) }.map(\.sentence)
            }
            observations.removeAll { there.contains($0.subject) }
        }
        if observations.isEmpty { continue }
        explained.formUnion(observations.map(\.subject))
        let advice = [rule.advice, rule.furtherAdvice(examination)].compactMap(\.self).joined(separator: " ")
        diagnosis.findings.append(
            Finding(
                rule: rule, evidence: unique(observations.map(\.sentence)),
                subjects: unique(observations.map(\.subject)),
                advice: advice))
    }
    diagnosis.onBothNetworks = unique(diagnosis.onBothNetworks)
    return diagnosis
}
