extension Rule {
    public static let ignoresIPv6Answer = Rule(
        id: "V6C-003", title: "gets an IPv6 address and does not use it",
        advice:
            "Try every address that getaddrinfo returns, in its order, with a socket of that address's family.",
        networks: [.nat64],
        // Who takes an IPv6 address for something else does not use it either.
        supersededBy: "V6C-008"
    ) { examination in
        let run = examination.run
        // One address that is used is enough: others asked about may be for later, or for another purpose.
        guard run.flows.isEmpty else { return [] }
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
