// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Evidence
import Wire

extension Rule {
    /// A DNS64 need not answer for the reverse names of the addresses that it synthesises (RFC 6147 §5.3.1 leaves the choice), and many
    /// IPv6 hosts have no reverse name either.
    package static let requiresReverseName = Rule(
        id: "V6C-048", title: "gives up because a synthesised address has no PTR record",
        advice:
            "Do not ask for the name of an address that was made from a name: check the host by TLS, and take a missing PTR record "
            + "for no error (leave NI_NAMEREQD out).",
        adviceByLanguage: [
            .python:
                "Do without socket.gethostbyaddr, or catch socket.herror and go on; socket.getnameinfo gives the address as text instead.",
            .node: "Do without dns.reverse, or go on where it fails with ENOTFOUND.",
        ],
        networks: [.nat64], needs: [.queries], supersedes: ["V6C-003", "V6C-004", "V6C-044"]
    ) { examination in
        guard let control = examination.control, control.end.isSuccess else { return [] }
        let questions = examination.run.seen.questions
        // A client that asked anything further went on.
        guard let last = questions.last, last.question.type == .ptr, last.answer.isEmpty,
            let address = ReverseName.ipv6Address(of: last.name),
            let forward = questions.first(where: { isSynthesised(address, in: $0) })
        else { return [] }
        return [
            Observation(
                "It asked for the reverse name of \(address), which was synthesised for \(forward.name), got none, and gave up.",
                at: examination.site(ofLookupOf: last.name), about: .name(forward.name))
        ]
    }
}

private func isSynthesised(_ address: IPv6Address, in query: RepeatedQuery) -> Bool {
    !query.first.synthesisedFrom.isEmpty && query.addresses.contains(.ipv6(address))
}
