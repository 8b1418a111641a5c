// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Evidence
import Text
import Wire

extension Rule {
    /// The client had an IPv6 address to connect or send to, and no packet was seen.
    package static let ignoresIPv6Answer = Rule(
        id: "V6C-003", title: "gets an IPv6 address and does not use it",
        advice:
            "Try every address that getaddrinfo returns, in its order, with a socket of that address's family.",
        networks: .ipv6Only, needs: [.flows]
    ) { examination in
        let run = examination.run
        // One used address is enough: the other names may be for later, or for another purpose.
        guard run.seen.flows.isEmpty, isToSendSomething(examination) else { return [] }
        // A literal is a mistake of its own (V6C-001), even if the DNS has the address.
        let written = Set(examination.writtenAttempts.compactMap(\.ipv4).map(IPAddress.ipv4))
        let ofLiterals = Set(run.seen.questions.filter { !written.isDisjoint(with: $0.addresses) }.map(\.name))
        // A datagram socket that is connected has sent nothing yet.
        let used = Set(examination.calls.attempts.filter { $0.error == nil }.compactMap(\.address?.ip))
        let ignored = run.seen.questions.filter {
            // The addresses by which a prefix is found (RFC 7050) are no destinations.
            $0.question.type == .aaaa && $0.name != IPv4OnlyName.name && !ofLiterals.contains($0.name)
                && used.isDisjoint(with: $0.addresses)
        }.compactMap { query in
            query.addresses.last.map {
                Observation(
                    .name(query.name), "\(query.name) has \($0), and it sent nothing there.",
                    at: examination.site(ofLookupOf: query.name))
            }
        }
        // If the synthesis is the cause, V6C-091 reports it.
        let given = examination.isFailedBySynthesis ? [] : examination.synthesisedLiterals
        let unused = given.compactMap { lookup in
            lookup.synthesised.first.map {
                Observation(
                    "\(lookup.site) got \($0) from getaddrinfo for \(text: lookup.node ?? ""), and it sent nothing there.",
                    at: lookup.site, about: lookup.literal.map { .address(.ipv4($0)) })
            }
        }
        return ignored + unused
    }
}

/// Whether the client is expected to send anything: it did so on dual-stack. Without a control run, programs that only resolve are
/// recognised by their names.
private func isToSendSomething(_ examination: Examination) -> Bool {
    if let control = examination.control { return !control.seen.flows.isEmpty && examination.gotThroughOnDualStack }
    let programs = examination.lookups.compactMap(\.site.program) + examination.command.prefix(1)
    let names = programs.map { baseName($0) }
    return names.isEmpty || !names.contains(where: resolvers.contains)
}

private let resolvers: Set = [
    "adig", "ahost", "delv", "dig", "drill", "getent", "host", "kdig", "khost", "nslookup", "resolvectl",
]
