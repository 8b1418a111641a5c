// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Evidence
import Wire

extension Rule {
    /// Name servers that know A only answer questions for AAAA with an error, or not at all (RFC 4074). If the DNS64 passes that on, the
    /// client has no address that it could reach.
    package static let serverFailsForAAAA = Rule(
        id: "V6C-050", title: "needs a name whose server fails for AAAA",
        advice:
            "Have the zone's server repaired: to a question for AAAA of a name that has only A it answers NOERROR without records. "
            + "A client can ask for A and synthesise with the network's prefix (RFC 7050, RFC 8781).",
        networks: [.nat64], needs: [.queries],
        supersedes: ["V6C-001", "V6C-003", "V6C-004", "V6C-005", "V6C-007", "V6C-016"]
    ) { examination in
        let questions = examination.run.seen.questions
        let others = questions + (examination.control?.seen.questions ?? [])
        let reachable = Set(questions.filter { $0.question.type == .aaaa && !$0.addresses.isEmpty }.map(\.name))
        let inIPv4 = Set(others.filter { $0.question.type == .a && !$0.addresses.isEmpty }.map(\.name))
        // Names for which the answer for A is no better here.
        let absent = Set(questions.filter { $0.question.type == .a && $0.addresses.isEmpty }.map(\.name))
        return questions.filter {
            isFailure($0) && inIPv4.contains($0.name) && !reachable.contains($0.name) && !absent.contains($0.name)
        }.map { query in
            let outcome: Statement = query.first.responseCode.map { "\($0)" } ?? "no reply"
            return Observation(
                .name(query.name), "\(query.name): \(outcome) for AAAA, and addresses for A.",
                at: examination.site(ofLookupOf: query.name))
        }.unique
    }
}

private func isFailure(_ query: RepeatedQuery) -> Bool {
    query.question.type == .aaaa && query.first.responseCode != .noError && query.first.refusal == nil
}
