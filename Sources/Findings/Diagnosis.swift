/// The rules that the evidence meets, the likeliest cause first.
///
/// A client that fails where there is no IPv4 usually fails before its first packet, so the control run tells what it would
/// have done: which addresses it wanted, and whether the DNS had given them.
func diagnose(run: RunEvidence, control: RunEvidence?) -> [Finding] {
    var findings: [Finding] = []
    for rule in Catalogue.all where rule.networks.contains(run.network) {
        if findings.contains(where: { $0.rule.id == rule.supersededBy }) { continue }
        let examination = Examination(run: run, control: control, isExplained: !findings.isEmpty)
        let sentences = unique(rule.observe(examination).map(\.sentence))
        if !sentences.isEmpty { findings.append(Finding(rule: rule, evidence: sentences)) }
    }
    return findings
}
