import Evidence

extension Rule {
    /// Nothing was seen here, and something on dual-stack: the client decided beforehand.
    package static let nothingAttempted = Rule(
        id: "V6C-004", title: "does not even try",
        advice:
            "Look for a reachability test that takes \"no IPv4 address\" or \"no IPv4 route\" for being offline.",
        networks: [.nat64]
    ) { examination in
        let run = examination.run
        guard !examination.isExplained, let control = examination.control, run.flows.isEmpty, run.questions.isEmpty,
            !(control.flows.isEmpty && control.questions.isEmpty), examination.gotThroughOnDualStack
        else { return [] }
        return [
            Observation(
                "Here it sent no DNS query and no packet; on dual-stack it sent \(control.questions.count) "
                    + "queries and had \(control.flows.count) flows.")
        ]
    }
}
