import Evidence

extension Rule {
    /// The client had an IPv6 address to connect to or to send to, and there was nothing to be seen of that.
    package static let ignoresIPv6Answer = Rule(
        id: "V6C-003", title: "gets an IPv6 address and does not use it",
        advice:
            "Try every address that getaddrinfo returns, in its order, with a socket of that address's family.",
        networks: [.nat64],
        // Who takes an IPv6 address for something else does not use it either.
        supersededBy: "V6C-008"
    ) { examination in
        let run = examination.run
        // One address that is used is enough: others asked about may be for later, or for another purpose.
        guard run.flows.isEmpty, isToSendSomething(examination) else { return [] }
        let ignored = run.questions.filter { $0.type == "AAAA" && !$0.answers.isEmpty }
        let unused = run.lookups.filter { $0.literal != nil && !$0.synthesised.isEmpty }
        return ignored.map {
            Observation("\($0.name) has \($0.answers.last ?? ""), and it sent nothing there.")
        }
            + unused.map {
                Observation(
                    "\($0.caller) got \($0.synthesised[0]) from getaddrinfo for \($0.node ?? ""), and it sent nothing there."
                )
            }
    }
}

/// Whether the client sends anything at all, as far as one can tell: on dual-stack it did. Without a control run, those that
/// only resolve are known by their names.
private func isToSendSomething(_ examination: Examination) -> Bool {
    if let control = examination.control { return !control.flows.isEmpty && examination.gotThroughOnDualStack }
    let programs = examination.run.lookups.compactMap(\.program) + [examination.command.first].compactMap(\.self)
    let names = programs.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
    return names.isEmpty || !names.contains(where: resolvers.contains)
}

private let resolvers: Set = [
    "adig", "ahost", "delv", "dig", "drill", "getent", "host", "kdig", "khost", "nslookup", "resolvectl",
]
