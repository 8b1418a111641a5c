import Evidence
import Wire

extension Rule {
    /// The client passes, and something of it did not work: a part that nobody misses in this run, or a first try that a second made
    /// good. Only a first run that was traced shows it.
    package static let hiddenIPv4 = Rule(
        id: "V6C-024", title: "passes, though an IPv4 attempt of it failed", severity: .warning,
        advice:
            "Look what it wanted there: telemetry, an update or a licence may be missing without a word; name the host instead.",
        networks: [.nat64], clients: .passing, needs: [.queries]
    ) { examination in
        guard let calls = examination.run.calls else { return [] }
        let questions = examination.run.seen.questions
        let reached = Set(
            examination.run.seen.flows.filter { $0.isAnswered || $0.transport == .udp }.map(\.remote))
        return calls.attempts.compactMap { call in
            guard call.isUnreachable, let address = call.ipv4, !IPAddress.ipv4(address).isOfTheMachine else {
                return nil
            }
            let (statement, site) = examination.told(call)
            let name = questions.first { $0.addresses.contains(.ipv4(address)) }?.name
            let instead = questions.filter { $0.name == name }.flatMap(\.addresses).first(where: reached.contains)
            let rest: Statement =
                switch (name, instead) {
                case (let name?, let instead?):
                    "; then it reached \(name) at \(instead)\(loss(from: call, to: instead, in: calls))"
                case (let name?, nil): ": it did not reach \(name)"
                default: "; it did not get there\(examination.source(of: call))"
                }
            return Observation("\(statement)\(rest).", at: site, about: .address(.ipv4(address)))
        }.unique
    }
}

/// `, 3.0 s later`, where that is worth a word.
private func loss(from call: TracedCall, to instead: IPAddress, in calls: CallEvidence) -> Statement {
    let next = calls.attempts.first { $0.time > call.time && $0.program == call.program && $0.address?.ip == instead }
    guard let next, next.time - call.time >= .milliseconds(300) else { return "" }
    return ", \(next.time - call.time) later"
}
