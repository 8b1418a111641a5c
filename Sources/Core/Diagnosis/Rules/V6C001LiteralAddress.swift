// SPDX-License-Identifier: Apache-2.0
import Evidence
import Topology
import Wire

extension Rule {
    /// An IPv4 address that the client reached on dual-stack and that no DNS answer contained came from elsewhere: from its source, a
    /// configuration file, or the environment. V6C-026 and others cover addresses that hosts sent. The preloaded library has seen which
    /// call read the address. The address of a host that connected to the client does not count, as the client did not choose it.
    ///
    /// Without a control run it is unknown what the client would have reached, so the calls alone decide.
    package static let literalAddress = Rule(
        id: "V6C-001", title: "connects to an IPv4 address, not to a name",
        advice:
            "Use a host name. Where there is only an address, make an IPv6 address of it with the network's prefix (RFC 7050, RFC 8781). "
            + "On Apple's systems getaddrinfo does that.",
        adviceByLanguage: [
            .python: "Use a host name, with socket.create_connection((name, port)).",
            .node: "Use a host name, and leave family at 0.",
            .go: "Use a host name: net.Dial(\"tcp\", net.JoinHostPort(name, port)).",
            .java: "Use a host name, and start it with -Djava.net.preferIPv6Addresses=system.",
            .rust: "Use a host name: TcpStream::connect((name, port)).",
            .ruby: "Use a host name: TCPSocket.new(name, port).",
            .perl: "Use a host name, with IO::Socket::IP.",
            .php: "Use a host name: fsockopen, stream_socket_client and curl look it up, for both families.",
        ],
        fittingAdvice: { examination, _ in
            let attempts = examination.traced.attempts.filter(\.isUnreachable)
            let isEcho = !attempts.isEmpty && attempts.allSatisfy { $0.socket?.protocol == 1 }
            if isEcho { return "Use a host name, and take its address from getaddrinfo. " + adviceForEcho }
            if let tool = attempts.lazy.compactMap({ Tool.name(of: $0, in: examination.traced) }).first {
                return "Give \(tool) the host's name in place of its address."
            }
            // The line gives the address to a library, which looks names up.
            let isByLibrary = attempts.contains { $0.site(in: examination.traced).through != nil }
            return isByLibrary ? "Give the library a host name instead of the address." : nil
        },
        furtherAdvice: { examination in
            examination.traced.attempts.contains {
                $0.isUnreachable && $0.isOfDatagrams && $0.name != .connect && $0.socket?.protocol != 1
            }
                ? "For datagrams, call getaddrinfo with SOCK_DGRAM and make a socket of the family that it gives." : nil
        },
        networks: .ipv6Only, needs: [.queries]
    ) { examination in
        let run = examination.run
        // A synthesised address is not the mistake; its further use may be (V6C-003).
        let synthesised = examination.lookups.filter { !$0.synthesised.isEmpty }
        let byLookup = Set(synthesised.filter { $0.call != .connect }.compactMap(\.literal))
        guard let control = examination.control else {
            // Text that the client made from an answer (inet_ntoa) is no literal of its own.
            let told = run.seen.told
            return examination.lookups.filter { lookup in
                lookup.literal.map { literal in
                    lookup.synthesised.isEmpty && !byLookup.contains(literal) && !told.contains(.ipv4(literal))
                } ?? false
            }.map {
                Observation("\(reading($0)).", at: $0.site, about: $0.literal.map { .address(.ipv4($0)) })
            }
        }
        let told = control.seen.told.union(control.seen.questions.flatMap(\.ipv4Hints).map(IPAddress.ipv4))
        let written = examination.writtenAttempts
        return examination.telling.compactMap { flow in
            guard case .ipv4(let address) = flow.remote, !byLookup.contains(address),
                !synthesised.contains(where: { $0.isConnection(to: address, port: flow.port) })
                    || examination.wentThereByIPv4(address, flow)
            else { return nil }
            if told.contains(flow.remote) { return examination.writtenAddress(address, flow, among: written) }
            let there: Statement = "On dual-stack it went to \(address) (\(service: flow))"
            let attempt = examination.attempt(at: address)
            // The router of dual-stack, which the client knows from the kernel, is no address of its own.
            if attempt?.isOfControl == true, NetworkPlan.ipv4Link.contains(address) { return nil }
            func observation(_ statement: Statement, at site: CallSite?) -> Observation {
                var observation = Observation(statement, at: site, about: .flow(to: address, flow))
                observation.isOfControl = attempt?.isOfControl ?? true
                return observation
            }
            let (calling, site) = attempt.map { examination.told($0.call, in: $0.evidence) } ?? ("", nil)
            let called: Statement = attempt?.isOfControl == true ? "On dual-stack \(calling)" : calling
            let source = attempt.map { examination.source(of: $0.call) } ?? ""
            let calls = (examination.lookups + control.lookups).filter {
                $0.literal == address && $0.synthesised.isEmpty
            }
            // If the connection is known, it adds nothing that plain Linux synthesises no address for the literal.
            let telling = calls.first(where: \.isIPv4Only) ?? calls.first { attempt == nil || reason($0) != nil }
            guard let call = telling else {
                if attempt != nil {
                    return observation(
                        "\(called)\(source). No DNS answer gave this address, and there is no IPv4 route here.",
                        at: site)
                }
                return observation(
                    "\(there), an address that no DNS answer gave; here there is no IPv4 route to it.", at: nil)
            }
            return observation(
                attempt == nil
                    ? "\(reading(call)). \(there); here there is no IPv4 route to it."
                    : "\(called)\(source). \(reading(call)); here there is no IPv4 route to it.",
                at: site?.file == nil ? call.site : site)
        }
    }
}

extension Examination {
    /// Whether the client made an IPv4 attempt besides the connection that URL loading synthesised, which makes none.
    fileprivate func wentThereByIPv4(_ address: IPv4Address, _ flow: Flow) -> Bool {
        traced.attempts.contains { $0.isUnreachable && $0.ipv4 == address && $0.address?.port == flow.port }
    }

    /// An address that is in a DNS answer too, for a name that the client looked up for another purpose, or later.
    fileprivate func writtenAddress(
        _ address: IPv4Address, _ flow: Flow, among attempts: [TracedCall]
    ) -> Observation? {
        // An attempt at another port had another purpose, such as a probe for IPv4.
        guard let call = attempts.first(where: { $0.ipv4 == address && $0.address?.port == flow.port }) else {
            return nil
        }
        let (called, site) = told(call)
        let name = call.time < traced.firstQuestion ? nil : nameWithIPv6(of: .ipv4(address))
        let reason: Statement =
            name.map { "It is an address of \($0) too, which it looked up" } ?? "It had looked up no name by then"
        return Observation(
            "\(called)\(source(of: call)). \(reason), and there is no IPv4 route here.", at: site,
            about: .flow(to: address, flow))
    }
}

extension Lookup {
    fileprivate func isConnection(to address: IPv4Address, port: UInt16) -> Bool {
        call == .connect && literal == address && service == "\(port)"
    }
}

/// `client+0x11f0 called inet_addr("198.51.100.10"), which knows IPv4 only`
private func reading(_ lookup: Lookup) -> Statement {
    "\(lookup.site) called \(lookup.call)(\"\(text: lookup.node ?? "")\")\(reason(lookup) ?? "; it was not synthesised")"
}

/// The reason that the call gave no IPv6 address; `nil` if there is none to report.
private func reason(_ lookup: Lookup) -> Statement? {
    guard lookup.call.maySynthesise else { return ", which knows IPv4 only" }
    return switch lookup.outcome {
    case .family: " with AF_INET"
    case .numericHost: " with AI_NUMERICHOST, which rules literal synthesis out"
    case .excluded: "; no system synthesises this address"
    case .unknownService: " with a service that is unknown"
    case .protocol: " for a protocol that has no IPv6 form"
    default: nil
    }
}
