// SPDX-License-Identifier: Apache-2.0
import Evidence
import Wire

extension Rule {
    /// The client takes the address that getaddrinfo returns for a literal to be that literal: it compares the two, binds to the address,
    /// or passes it on. On Apple's systems the address is an IPv6 address.
    package static let failsBySynthesis = Rule(
        id: "V6C-091", title: "fails because getaddrinfo synthesises an IPv6 address for its IPv4 literal",
        advice:
            "Parse an address with inet_pton, or give getaddrinfo AI_NUMERICHOST: then the answer is the literal. Give getaddrinfo without it "
            + "only what is to be connected to.",
        adviceByLanguage: [
            .python:
                "Parse an address with ipaddress.ip_address or socket.inet_pton, or give socket.getaddrinfo flags=socket.AI_NUMERICHOST.",
            .ruby: "Parse an address with IPAddr.new, or give Addrinfo.getaddrinfo the flag Socket::AI_NUMERICHOST.",
            .perl: "Parse an address with inet_pton of Socket, or give getaddrinfo the flag AI_NUMERICHOST.",
            .php: "Parse an address with inet_pton.",
        ],
        networks: Set<Network>.translated.union([.nat64CLAT])
    ) { examination in
        guard examination.isFailedBySynthesis else { return [] }
        let proof: Statement =
            examination.withoutSynthesis == nil
            ? "it sent nothing there" : "with the machine's own getaddrinfo it passes"
        return examination.synthesisedLiterals.compactMap { lookup in
            lookup.synthesis(by: examination.run.profile).map {
                Observation("\($0); \(proof).", at: lookup.site, about: lookup.literal.map { .address(.ipv4($0)) })
            }
        }
    }
}

extension Examination {
    /// The literals for which getaddrinfo gave a synthesised address.
    var synthesisedLiterals: [Lookup] {
        lookups.filter { $0.call == .getaddrinfo && $0.literal != nil && !$0.synthesised.isEmpty }
    }

    /// Whether the client passes without synthesis. If neither that nor dual-stack was tried: whether it made no use of the addresses.
    var isFailedBySynthesis: Bool {
        if let withoutSynthesis { return withoutSynthesis.end.isSuccess }
        return control == nil && !synthesisedLiterals.isEmpty && run.seen.flows.isEmpty && traced.attempts.isEmpty
    }
}
