// SPDX-License-Identifier: Apache-2.0
import Evidence

extension Rule {
    /// Nothing was seen here, but something on dual-stack: the client decided beforehand.
    package static let nothingAttempted = Rule(
        id: "V6C-004", title: "sends nothing: no DNS query, no packet",
        advice:
            "Look for a reachability test that takes \"no IPv4 address\" or \"no IPv4 route\" for being offline.",
        networks: .ipv6Only, needs: [.queries, .flows], isSymptom: true, isLastResort: true, supersedes: ["V6C-100"]
    ) { examination in
        guard let control = examination.control, !examination.run.hasSentSomething, control.hasSentSomething,
            examination.gotThroughOnDualStack, !examination.endsAsOnDualStack
        else { return [] }
        return [
            Observation(
                "Here it sent no DNS query and no packet; on dual-stack it sent "
                    + "\(control.seen.questions.count, "query", "queries") and had \(control.seen.flows.count, "flow")."
            )
        ]
    }
}
