// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Evidence
import Wire

extension Rule {
    /// A DNS64 synthesises nothing for a client that validates itself (DO and CD set), and a synthesised record cannot be signed.
    package static let validatesBehindDNS64 = Rule(
        id: "V6C-049", title: "validates DNSSEC itself, and does not synthesise",
        advice:
            "Learn the network's prefix (RFC 7050, RFC 8781), ask for the A records, validate these, and synthesise from them "
            + "(RFC 6147 §3, case 3). Or leave validation to the network's resolver: no CD bit.",
        networks: [.nat64], needs: [.queries, .flows],
        supersedes: ["V6C-001", "V6C-003", "V6C-004", "V6C-005", "V6C-007", "V6C-016", "V6C-044"]
    ) { examination in
        guard let control = examination.control, control.end.isSuccess, examination.run.seen.flows.isEmpty else {
            return []
        }
        let questions = examination.run.seen.questions
        let wanted = Set(control.seen.flows.compactMap { control.names[$0] })
        return questions.filter { $0.question.type == .aaaa && wanted.contains($0.name) }.compactMap {
            reason($0, among: questions, in: examination)
        }.unique
    }
}

/// An observation of the answer to a validating client's question for AAAA; `nil` if it is no obstacle.
private func reason(
    _ query: RepeatedQuery, among questions: [RepeatedQuery], in examination: Examination
) -> Observation? {
    let site = examination.site(ofLookupOf: query.name)
    if query.first.rule == .validatingClient, query.addresses.isEmpty {
        return Observation(
            "It asked for AAAA of \(query.name) with the bits DO and CD, so nothing was synthesised for it.",
            at: site, about: .name(query.name))
    }
    let asksForKeys = questions.contains { keyTypes.contains($0.question.type) }
    guard !query.first.synthesisedFrom.isEmpty, query.first.dnssecOK || asksForKeys,
        let address = query.addresses.last
    else { return nil }
    return Observation(
        "\(query.name) has \(address), which is synthesised and has no signature; it asked for signatures, and sent nothing there.",
        at: site, about: .name(query.name))
}

private let keyTypes: Set<RecordType> = [.dnskey, .ds]
