// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Evidence
import Wire

extension Rule {
    /// A resolver that the network did not announce is out of reach if it has an IPv4 address, and synthesises nothing if it has an IPv6
    /// one. Go's resolver reads resolv.conf even if the program then dials another resolver.
    package static let asksOwnResolver = Rule(
        id: "V6C-035", title: "asks a DNS resolver of its own choice",
        severityIfPassing: .warning,
        advice:
            "Ask the resolver of the network (/etc/resolv.conf, getaddrinfo). A program that must ask another needs its IPv6 address, and has to "
            + "synthesise addresses itself with the prefix that the network announces (RFC 7050, RFC 8781).",
        networks: .ipv6Only, clients: .all,
        supersedes: ["V6C-001", "V6C-003", "V6C-004", "V6C-005", "V6C-024", "V6C-036", "V6C-044"]
    ) { examination in
        let evidence = examination.traced
        // One of several resolvers, of which another has answered.
        if examination.run.end.isSuccess, examination.isAnsweredByOwnResolver { return [] }
        let calls =
            evidence.attempts.filter { call in
                guard let port = call.address?.port, dnsPorts.contains(port), let address = call.address?.ip,
                    !address.isOfTheMachine
                else { return false }
                return address.isIPv4
                    ? call.isUnreachable && isQuestion(call, examination) && !isOnlineProbe(call, in: examination)
                    : publicResolvers.contains(address) && !isMereConnect(call, examination)
                        && !examination.run.end.isSuccess
            }
            + evidence.attempts.filter { isQuestionOverHTTPS($0, examination) }
        let asked = examination.observations(of: calls) { call, site in
            "\(call, at: site): a resolver that this network did not announce."
        }
        if !asked.isEmpty || examination.run.end.isSuccess { return asked }
        let answered = examination.observations(of: evidence.attempts.filter { answer(with: $0, examination) != nil }) {
            call, site in
            "\(call, at: site): no answer of the network's DNS gave this address. \(whoGaveIt(call, examination))"
        }
        guard answered.isEmpty, let resolver = examination.encryptedResolver else { return answered }
        return examination.observations(of: evidence.attempts.filter { isOfOwnAnswer($0, examination) }) { call, site in
            "\(call, at: site): no answer of the network's DNS gave this address, and it had asked \(resolver)."
        }
    }
}

extension Examination {
    /// Whether a resolver that is not the network's answered the client.
    var isAnsweredByOwnResolver: Bool {
        let link = run.seen.link
        return run.seen.flows.contains { flow in
            guard dnsPorts.contains(flow.port), flow.bytesReceived > 0, !flow.isInbound else { return false }
            if case .ipv6(let address) = flow.remote { return !link.contains(address) && !address.isLinkLocal }
            return true
        }
    }

    /// A public resolver that sent data to the client over TLS, recognised by its name.
    fileprivate var encryptedResolver: Statement? {
        let names = run.names
        for flow in run.seen.flows where [443, 853].contains(flow.port) && flow.bytesReceived > 0 {
            guard let name = names[flow], resolverNames.contains(name) else { continue }
            return names.farEnd(flow)
        }
        return nil
    }
}

/// Whether a datagram socket was connected and nothing sent, as to find out the machine's own address.
private func isMereConnect(_ call: TracedCall, _ examination: Examination) -> Bool {
    call.name == .connect && call.socket?.type == SocketKind.datagram
        && !examination.run.seen.flows.contains { $0.remote == call.address?.ip }
}

/// The question to a resolver of the simulated world whose answer had an attempt's address.
private func answer(with call: TracedCall, _ examination: Examination) -> ServedQuery? {
    guard let address = call.ipv4, isOfOwnAnswer(call, examination) else { return nil }
    return examination.served.first { $0.isOfDNS && $0.addresses.contains(.ipv4(address)) }
}

private func whoGaveIt(_ call: TracedCall, _ examination: Examination) -> Statement {
    guard let query = answer(with: call, examination) else { return "" }
    let carrier: Statement = query.carrier == .tls ? "DNS over TLS" : "DNS over HTTPS"
    let gave: Statement =
        "\(query.address) gave it, which it had asked for \(query.question.name) by \(carrier)"
    let others = examination.served.filter { $0.isOfDNS && $0.question.name == query.question.name }
    guard let usable = others.flatMap(\.addresses).first(where: { !$0.isIPv4 }) else { return "\(gave)." }
    return "\(gave), and \(usable) too."
}

/// Whether an attempt's address can be from an answer that only the client has read, as it is found nowhere else.
private func isOfOwnAnswer(_ call: TracedCall, _ examination: Examination) -> Bool {
    guard let address = call.ipv4, call.isUnreachable, !IPAddress.ipv4(address).isOfTheMachine,
        !examination.told.contains(.ipv4(address))
    else { return false }
    return call.origin?.isCertain != true
}

/// Whether a connected datagram socket is for a question. A program that only wants to know its own address sends nothing, as the control
/// run shows.
private func isQuestion(_ call: TracedCall, _ examination: Examination) -> Bool {
    guard call.name == .connect else { return true }
    guard let control = examination.control else { return !(examination.run.end.isSuccess && call.isOfDatagrams) }
    return control.seen.flows.contains { $0.remote == call.address?.ip && $0.port == call.address?.port }
}

/// Whether an attempt is for DNS over HTTPS, which looks like any other HTTPS. For a resolver of the simulated world, it is if the client
/// asked it on dual-stack; for a well-known public resolver, if the client sent something there.
private func isQuestionOverHTTPS(_ call: TracedCall, _ examination: Examination) -> Bool {
    guard call.isUnreachable, let address = call.ipv4, let control = examination.control else { return false }
    let wasAsked = control.seen.servedQueries.contains {
        $0.isOfDNS && $0.address == .ipv4(address) && $0.port == call.address?.port
    }
    if wasAsked { return true }
    guard call.address?.port == 443, landmarks.contains(address) else { return false }
    return control.seen.flows.contains { $0.remote == .ipv4(address) && $0.port == 443 && $0.bytesSent > 0 }
}

/// DNS and DNS over TLS.
private let dnsPorts: Set<UInt16> = [53, 853]

/// Names of DNS over HTTPS and DNS over TLS services in the lists of browsers and libraries.
private let resolverNames: Set<DomainName> = Set(
    [
        "dns.google", "dns64.dns.google", "cloudflare-dns.com", "one.one.one.one", "mozilla.cloudflare-dns.com",
        "chrome.cloudflare-dns.com", "dns.quad9.net", "doh.opendns.com", "dns.nextdns.io", "dns.adguard-dns.com",
        "dns.alidns.com", "doh.pub",
    ].compactMap { try? DomainName($0) })

/// Public resolvers that are often hard-coded in programs.
private let publicResolvers: Set<IPAddress> = Set(
    [
        "2001:4860:4860::8888", "2001:4860:4860::8844", "2606:4700:4700::1111", "2606:4700:4700::1001", "2620:fe::fe",
        "2620:fe::9", "2620:119:35::35", "2620:119:53::53",
    ].compactMap { IPAddress($0) })
