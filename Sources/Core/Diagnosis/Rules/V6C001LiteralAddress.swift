import Evidence
import Wire

extension Rule {
    /// An IPv4 address that the client reached on dual-stack and that no answer of the DNS contained came from elsewhere: from
    /// its source, a configuration file, or an HTTPDNS answer. The preloaded library has seen which call read it. Who connected to
    /// the client has an address that the client did not choose.
    ///
    /// Without a control run nobody knows what the client would have reached, and the calls alone have to tell.
    package static let literalAddress = Rule(
        id: "V6C-001", title: "connects to an IPv4 address, not to a name",
        advice:
            "Use a host name. Where the address comes as text, give it to getaddrinfo with AF_UNSPEC and without "
            + "AI_NUMERICHOST, instead of inet_addr or sockaddr_in: Apple's systems then synthesise an IPv6 address.",
        networks: [.nat64]
    ) { examination in
        let run = examination.run
        // An address that was synthesised is not the mistake; what was made of it may be (V6C-003).
        let synthesised = Set(run.lookups.filter { !$0.synthesised.isEmpty }.compactMap(\.literal))
        guard let control = examination.control else {
            // Text that the client made of an answer (inet_ntoa) is no literal of its own.
            let known = synthesised.union(run.questions.flatMap(\.answers).compactMap { IPv4Address($0) })
            return run.lookups.filter { lookup in lookup.literal.map { !known.contains($0) } ?? false }
                .map { Observation(sentence($0)) }
        }
        let told = control.questions.flatMap { question in
            question.answers.compactMap { IPv4Address($0) } + question.ipv4Hints
        }
        return examination.telling.compactMap { flow in
            guard case .ipv4(let address) = flow.remote, !told.contains(address), !synthesised.contains(address)
            else { return nil }
            let there = "On dual-stack it went to \(address) (\(endpoint(flow)))"
            let calls = (run.lookups + control.lookups).filter { $0.literal == address }
            guard let call = calls.first(where: \.isIPv4Only) ?? calls.first else {
                return Observation("\(there), an address that no DNS answer gave; here there is no IPv4 route to it.")
            }
            return Observation("\(sentence(call)) \(there); here there is no IPv4 route to it.")
        }
    }
}

/// `client+0x11f0 called inet_addr("198.51.100.10"), which knows IPv4 only.`
private func sentence(_ lookup: Lookup) -> String {
    "\(lookup.caller) called \(lookup.call)(\"\(lookup.node ?? "")\")\(reason(lookup))."
}

/// Why the call gave no IPv6 address.
private func reason(_ lookup: Lookup) -> String {
    guard lookup.call == "getaddrinfo" else { return ", which knows IPv4 only" }
    return switch lookup.outcome {
    case .family: " with AF_INET"
    case .numericHost: " with AI_NUMERICHOST, which rules literal synthesis out"
    case .excluded: "; no system synthesises this address"
    case .unknownService: " with a service that is unknown"
    case .protocol: " for a protocol that has no IPv6 form"
    default: "; it was not synthesised"
    }
}
