// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Evidence
import Wire

extension Rule {
    /// The answers for A and AAAA arrive separately, and one of them is enough to begin with (RFC 8305 §3).
    package static let waitsForSlowAnswer = Rule(
        id: "V6C-051", title: "waits for a slow DNS answer instead of using the one it has",
        advice:
            "Connect with the first addresses that come: with those of AAAA at once, with those of A after 50 ms (RFC 8305 §3). Ask for "
            + "either family by a call of its own, each with its own timeout.",
        networks: [.nat64], needs: [.queries, .flows],
        supersedes: ["V6C-003", "V6C-004", "V6C-007", "V6C-044"]
    ) { examination in
        let questions = examination.run.seen.questions
        let used = Set(examination.run.seen.flows.map(\.remote))
        return questions.compactMap { slow -> Observation? in
            guard let delay = lateness(slow),
                let known = questions.first(where: { isUnused($0, besides: slow, used) })?.addresses.last
            else { return nil }
            return Observation(
                "\(slow.name): the answer for \(slow.question.type) came \(delay). It had \(known), and sent nothing there.",
                at: examination.site(ofLookupOf: slow.name), about: .name(slow.name))
        }.unique
    }
}

/// Whether a question gave an IPv6 address of the same name to which nothing was sent.
private func isUnused(_ query: RepeatedQuery, besides slow: RepeatedQuery, _ used: Set<IPAddress>) -> Bool {
    query.question.type == .aaaa && query.name == slow.name && !query.addresses.isEmpty
        && used.isDisjoint(with: query.addresses)
}

/// The delay of an answer, if it is noticeable.
private func lateness(_ query: RepeatedQuery) -> Statement? {
    guard query.isForAddress || query.question.type == .https else { return nil }
    for fault in query.first.faults {
        switch fault {
        case .drop: return "never"
        case .delay(let duration) where duration >= .milliseconds(500):
            return
                "after \(Int(clamping: duration.components.seconds * 1000 + duration.components.attoseconds / 1_000_000_000_000_000)) ms"
        default: continue
        }
    }
    return nil
}
