// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Evidence
import Wire

// Attempts at IPv4 addresses that a host sent to the client.

extension TracedCall {
    /// The address's place in a host's payload, if it comes from one.
    var receivedLocation: ReceivedLocation? {
        guard let origin, case .payload(let place) = origin.place else { return nil }
        return place
    }
}

extension Examination {
    /// Attempts at IPv4 addresses that have no route here and are in no DNS answer, or that a host sent, whether they are in the DNS or
    /// not.
    var unreachableLiterals: [TracedCall] {
        let told = told
        let attempts = traced.attempts
        return attempts.indices.compactMap { place in
            let call = attempts[place]
            guard let address = call.ipv4, call.isUnreachable, !IPAddress.ipv4(address).isOfTheMachine else {
                return nil
            }
            if !told.contains(.ipv4(address)) { return call }
            return call.receivedLocation?.isMeant == true && !isOneOfMany(place, attempts) ? call : nil
        }
    }

    /// Whether the client tried an IPv6 address without success before, or tries one after: then it tries all addresses of a name.
    private func isOneOfMany(_ place: Int, _ attempts: [TracedCall]) -> Bool {
        let before = place > 0 ? attempts[place - 1] : nil
        let after = place + 1 < attempts.count ? attempts[place + 1] : nil
        return isOfIPv6(before) && before?.error != nil || isOfIPv6(after)
    }

    /// The payload facts of the traced run on the network in question.
    var payloadFacts: [PayloadFact] { run.calls != nil ? run.payloadFacts : again?.payloadFacts ?? [] }

    /// Whether a flow to the fact's far end passed the NAT64.
    func isTranslated(_ fact: PayloadFact) -> Bool {
        (run.seen.flows + (again?.seen.flows ?? [])).contains {
            $0.remote == fact.remote && $0.port == fact.port && $0.transport == fact.transport
                && $0.ipv4Destination != nil
        }
    }

    /// Whether the client asked the DNS for a name, on either network, a resolver of its own included.
    func hasAsked(for name: DomainName) -> Bool {
        let runs = [run, again, control].compactMap(\.self)
        return runs.contains { $0.seen.questions.contains { $0.name == name } }
            || (served + (control?.seen.servedQueries ?? [])).contains { $0.isOfDNS && $0.question.name == name }
    }

    /// Observations of attempts with the origins of their addresses, one for each place in the client: that of its first attempt.
    func received(_ calls: [TracedCall], _ reason: String) -> [Observation] {
        observations(of: calls) { call, _ in
            "\(told(call).statement)\(source(of: call)). \(Statement(stringLiteral: reason))"
        }
    }
}

extension ReceivedLocation {
    /// The name that was resolved by HTTP, as with HTTPDNS: `/d?host=api.test`.
    var resolvedName: DomainName? {
        guard let query = request?.target.split(separator: "?", maxSplits: 1).dropFirst().first else { return nil }
        for pair in query.split(separator: "&") {
            let words = pair.split(separator: "=", maxSplits: 1)
            guard words.count == 2, resolvingKeys.contains(words[0].lowercased()) else { continue }
            if let name = hostName(words[1]) { return name }
        }
        return nil
    }

    /// Whether it is a list of peers, as sent by BitTorrent's trackers and nodes.
    func listsPeers(at port: UInt16?) -> Bool {
        switch spot {
        case .bencode: true
        case .packed(_, let next): next == port && port != 0
        case .octet, .header, .json, .sessionDescription, .candidate, .stun, .commas: false
        }
    }
}

/// Whether it goes to an IPv6 host.
private func isOfIPv6(_ call: TracedCall?) -> Bool { call?.address?.ip.map { !$0.isIPv4 } == true && call?.ipv4 == nil }

/// Keys with which HTTPDNS services name the host.
private let resolvingKeys: Set = ["host", "hosts", "hostname", "dn", "domain", "name", "h", "d", "n", "q"]

/// The text as a name, if it has a dot and is no address.
private func hostName(_ text: Substring) -> DomainName? {
    guard text.contains("."), IPAddress(text) == nil, text.contains(where: \.isLetter) else { return nil }
    return try? DomainName(text)
}
