import Wire

/// The rules that the evidence meets, the likeliest cause first.
///
/// A client that fails where there is no IPv4 usually fails before its first packet, so the control run tells what it would
/// have done: which addresses it wanted, and whether the DNS had given them.
func diagnose(run: RunEvidence, control: RunEvidence?) -> [Finding] {
    var findings: [Finding] = []
    if run.network == .nat64 {
        let cut = cutsAddressAtColon(run)
        findings += [cut, literalAddress(run: run, control: control), asksForIPv4Only(run)].compactMap(\.self)
        // Who takes an IPv6 address for something else does not use it either, and one cause is enough.
        if cut == nil { findings += [ignoresIPv6Answer(run)].compactMap(\.self) }
    }
    findings += [noAnswer(run), refusedByTranslator(run), nameHasNoAddress(run)].compactMap(\.self)
    if findings.isEmpty, let control, let finding = nothingAttempted(run: run, control: control) {
        findings.append(finding)
    }
    return findings
}

private func asksForIPv4Only(_ run: RunEvidence) -> Finding? {
    let askedForIPv6 = Set(run.questions.filter { $0.type == "AAAA" }.map(\.name))
    let names = unique(run.questions.filter { $0.type == "A" && !askedForIPv6.contains($0.name) }.map(\.name))
    if names.isEmpty { return nil }
    return Finding(
        rule: .asksForIPv4Only,
        evidence: names.map { name in
            let calls = run.lookups.filter { $0.isIPv4Only && isSameName($0.node, name) }
            let told = unique(calls.map { "\($0.caller) called \($0.call)" + ($0.hints == nil ? "" : " with AF_INET") })
            return "It asked for A of \(name), and never for AAAA" + told.map { ": \($0)" }.joined() + "."
        })
}

/// Whether a name as a program gives it is that of a question.
private func isSameName(_ node: String?, _ name: String) -> Bool {
    guard let node else { return false }
    return (node.hasSuffix(".") ? String(node.dropLast()) : node).lowercased() == name.lowercased()
}

/// A program that takes `host:port` apart at the first colon asks for the first group of an IPv6 address.
private func cutsAddressAtColon(_ run: RunEvidence) -> Finding? {
    let addresses = unique(
        (run.questions.flatMap(\.answers) + run.lookups.flatMap(\.answers)).filter { $0.contains(":") })
    let evidence = run.lookups.compactMap { lookup -> String? in
        guard let node = lookup.node, (1...4).contains(node.utf8.count), node.allSatisfy(\.isHexDigit),
            let address = addresses.first(where: { $0.hasPrefix(node + ":") })
        else { return nil }
        return "\(lookup.caller) asked for \"\(node)\", which is how \(address) begins."
    }
    return evidence.isEmpty ? nil : Finding(rule: .cutsAddressAtColon, evidence: unique(evidence))
}

private func ignoresIPv6Answer(_ run: RunEvidence) -> Finding? {
    let contacted = Set(run.flows.map(\.remote.description))
    let ignored = run.questions.filter {
        $0.type == "AAAA" && !$0.answers.isEmpty && contacted.isDisjoint(with: $0.answers)
    }
    let unused = run.lookups.filter { $0.literal != nil && !$0.synthesised.isEmpty }
    // One address that is used is enough: others asked about may be for later, or for another purpose.
    guard run.flows.isEmpty, !(ignored.isEmpty && unused.isEmpty) else { return nil }
    return Finding(
        rule: .ignoresIPv6Answer,
        evidence: unique(
            ignored.map { "\($0.name) has \($0.answers.last ?? ""), and it sent nothing there." }
                + unused.map {
                    "\($0.caller) got \($0.synthesised[0]) from getaddrinfo for \($0.node ?? ""), and it sent nothing there."
                }))
}

private func noAnswer(_ run: RunEvidence) -> Finding? {
    let silent = run.flows.filter { $0.transport == .tcp && $0.attempts > 0 && $0.accepted == 0 }
    if silent.isEmpty { return nil }
    return Finding(
        rule: .noAnswer,
        evidence: silent.map { flow in
            let whose = run.name(of: flow).map { "\($0), " } ?? ""
            return "\(whose)\(flow.remote) (\(endpoint(flow))) "
                + (flow.refused > 0 ? "refused the connection." : "did not answer.")
        })
}

private func refusedByTranslator(_ run: RunEvidence) -> Finding? {
    let refusals = run.refusals.filter { $0.kind == .untranslatable }
    if refusals.isEmpty { return nil }
    return Finding(
        rule: .refusedByTranslator,
        evidence: refusals.map { "\($0.count) × \($0.reason): \($0.explanation) (\($0.example))" })
}

private func nameHasNoAddress(_ run: RunEvidence) -> Finding? {
    let addressQuestions = run.questions.filter { $0.type == "A" || $0.type == "AAAA" }
    let answered = Set(addressQuestions.filter { !$0.answers.isEmpty }.map(\.name))
    let names = unique(addressQuestions.filter { !answered.contains($0.name) }.map { [$0.name, $0.responseCode] })
    if names.isEmpty { return nil }
    return Finding(
        rule: .nameHasNoAddress,
        evidence: names.map { "\($0[0]): \($0[1] == "NOERROR" ? "no address record" : $0[1])." })
}

/// Nothing was seen here, and something on dual-stack: the client decided beforehand.
private func nothingAttempted(run: RunEvidence, control: RunEvidence) -> Finding? {
    guard run.flows.isEmpty, run.questions.isEmpty, !(control.flows.isEmpty && control.questions.isEmpty) else {
        return nil
    }
    return Finding(
        rule: .nothingAttempted,
        evidence: [
            "Here it sent no DNS query and no packet; on dual-stack it sent \(control.questions.count) "
                + "queries and had \(control.flows.count) flows."
        ])
}

func endpoint(_ flow: Flow) -> String {
    flow.transport == .icmp ? "icmp" : "\(flow.transport.rawValue) \(flow.port)"
}

/// The elements in the order of their first appearance.
func unique<Element: Hashable>(_ elements: [Element]) -> [Element] {
    var seen: Set<Element> = []
    return elements.filter { seen.insert($0).inserted }
}
