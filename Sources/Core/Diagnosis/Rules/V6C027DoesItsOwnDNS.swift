// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Evidence
import Wire

extension Rule {
    /// HTTPDNS: an HTTP request resolves a name, mostly to IPv4 addresses. The DNS64 is not asked, so it synthesises nothing. Detected by
    /// the request, in the payload or by the world's own HTTPDNS, or by the name (SNI, `Host`) that the client sends to a host whose
    /// address is in no DNS answer.
    package static let doesItsOwnDNS = Rule(
        id: "V6C-027", title: "goes to an IPv4 address for a name that it never asks the DNS for",
        advice:
            "Ask the system's resolver (getaddrinfo) where the own one has no IPv6 address; or ask the own one for IPv6 addresses as well, "
            + "and synthesise one with the network's Pref64 (RFC 7050) where it has none.",
        adviceByLanguage: [
            .python:
                "Connect to the name: socket.create_connection((name, port)). A client of HTTPDNS does so where its answer has no IPv6 address.",
            .node:
                "Connect to the name. A client of HTTPDNS lets lookup fall back to dns.lookup where its answer has no IPv6 address.",
            .java:
                "Connect to the name. A client of HTTPDNS lets the Dns of its HTTP client fall back to Dns.SYSTEM where its answer has no IPv6 "
                + "address.",
        ],
        fittingAdvice: { examination, _ in
            let programs = examination.unreachableLiterals.compactMap { examination.traced.program(of: $0) }
            let isTold = programs.contains { $0.arguments.contains { ["--resolve", "--connect-to"].contains($0) } }
            if isTold { return "Leave --resolve and --connect-to out: curl then looks the name up, for both families." }
            return examination.unreachableLiterals.contains(where: examination.isTold)
                ? nil
                : "Connect to the name, and leave out the address that is kept for it (in a file, a constant, or an option such as "
                    + "CURLOPT_RESOLVE): what no DNS answer gives is not synthesised."
        },
        networks: .ipv6Only, needs: [.queries], supersedes: ["V6C-001", "V6C-003", "V6C-016", "V6C-026", "V6C-030"]
    ) { examination in
        examination.unreachableLiterals.compactMap { call in
            guard let name = resolvedName(of: call, in: examination) else { return nil }
            let (told, site) = examination.told(call)
            return Observation(
                "\(told)\(examination.source(of: call)). It stands for \(name), for which no DNS server was asked.",
                at: site, about: call.ipv4.map { .address(.ipv4($0)) })
        }.unique
    }
}

/// The name that an attempt's address belongs to, if the client never asked the DNS for it.
private func resolvedName(of call: TracedCall, in examination: Examination) -> DomainName? {
    if let name = call.receivedLocation?.resolvedName, !examination.hasAsked(for: name) { return name }
    guard let address = call.ipv4 else { return nil }
    // If the client has the address from its own source or a file, it proves nothing that the answer contained it too.
    if call.receivedLocation != nil || call.origin?.isCertain != true {
        for query in examination.queriesByHTTP(giving: address) where !examination.hasAsked(for: query.question.name) {
            return query.question.name
        }
    }
    for fact in examination.control?.payloadFacts ?? [] where fact.remote == .ipv4(address) {
        if let name = fact.serverName, !examination.hasAsked(for: name) { return name }
    }
    return nil
}

extension Examination {
    fileprivate func queriesByHTTP(giving address: IPv4Address) -> [ServedQuery] {
        served.filter { $0.carrier == .httpDNS && $0.addresses.contains(.ipv4(address)) }
    }

    /// Whether another host may have told the client the attempt's address.
    fileprivate func isTold(_ call: TracedCall) -> Bool {
        call.receivedLocation != nil || call.ipv4.map { !queriesByHTTP(giving: $0).isEmpty } == true
    }
}

extension PayloadFact {
    fileprivate var serverName: DomainName? {
        if case .serverName(let name) = matter { name } else { nil }
    }
}
