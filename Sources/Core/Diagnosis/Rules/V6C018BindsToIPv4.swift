// SPDX-License-Identifier: Apache-2.0
import DNS64
import Evidence
import Wire

extension Rule {
    /// A source address decides the family of everything that is sent: a socket bound to 0.0.0.0 cannot send to an IPv6 host, and an IPv4
    /// address of an interface does not exist here.
    package static let bindsToIPv4 = Rule(
        id: "V6C-018", title: "binds the socket with which it sends to an IPv4 address",
        severityIfPassing: .warning,
        advice: "Do not bind, or bind to the unspecified address of the family of the far end: [::] for IPv6.",
        adviceByLanguage: [
            .rust: "Bind to [::]:0 where the far end is an IPv6 one: the endpoint's address decides on the family.",
            .python: "Leave source_address and local_addr out, or choose them by the family of the far end.",
            .go: "Leave Dialer.LocalAddr nil, or choose it by the family of the far end.",
            .node: "Leave localAddress out, or choose it by the family of the far end.",
        ],
        networks: .ipv6Only, clients: .all, supersedes: ["V6C-003", "V6C-016", "V6C-017", "V6C-044", "V6C-087"]
    ) { examination in
        let isPassing = examination.run.end.isSuccess
        let evidence = isPassing ? examination.traced : examination.calls
        let calls = evidence.own
        // It may bind in each family in turn, and lose nothing.
        let lost = isPassing ? examination.hostsOfDualStackAlone.first : nil
        if isPassing, lost == nil { return [] }
        let bound = calls.filter { $0.name == .bind }.compactMap { bind -> Observation? in
            guard let ip = bind.address?.ip, ip.isIPv4, !isPassing || bind.error == .addressNotAvailable else {
                return nil
            }
            let (statement, site) = examination.told(bind)
            switch bind.error {
            case ErrorNumber.addressNotAvailable:
                let told: Statement =
                    "\(statement): no interface has this address here\(examination.source(of: bind))."
                if let lost { return Observation(lost.subject, "\(told) \(lost.statement).", at: site) }
                return Observation(told, at: site, about: .address(ip))
            case ErrorNumber.invalid, ErrorNumber.familyNotSupported:
                guard bind.socket?.family == SocketKind.ipv6 else { return nil }
                return Observation("\(statement): the socket is for IPv6.", at: site, about: .address(ip))
            case nil:
                guard
                    let sent = calls.first(where: {
                        $0.isAttempt && $0.isLater(onSocketOf: bind) && lacksIPv6(for: $0, in: examination)
                    })
                else { return examination.unused(bind, ip) }
                if sent.error != .familyNotSupported, evidence.followsChoice(bind) { return nil }
                return Observation(
                    "\(statement), then \(examination.told(sent).statement): nothing goes from there to an IPv6 host.",
                    at: site, about: .address(ip))
            default: return nil
            }
        }
        // Node reads the address for IPv6, and makes no call.
        guard bound.isEmpty, !isPassing, let words = examination.complaint(of: ["bind einval"]),
            words.split(separator: " ").contains(where: { IPv4Address($0) != nil })
        else { return bound }
        let error = examination.ownError
        return [
            Observation(
                "\(error.map(examination.told) ?? "It said \"\(text: words)\".") It binds an IPv6 socket to an IPv4 address.",
                at: error?.site)
        ]
    }
}

extension Examination {
    /// A sentence for a client whose IPv4 attempt came from a socket that is bound to an IPv4 address; `nil` for others.
    var adviceOnBoundSocket: String? {
        let calls = traced.own
        let isBound = calls.contains { bind in
            bind.name == .bind && bind.address?.ip?.isIPv4 == true
                && calls.contains { $0.isUnreachable && $0.isLater(onSocketOf: bind) }
        }
        return isBound
            ? "Its socket is bound to an IPv4 address, which may be the reason: leave that out, or bind it to the family of the far end."
            : nil
    }

    /// A socket that is bound and then not used, while a socket with the same binding sends to a host on dual-stack: Python's asyncio
    /// refuses an IPv6 address for it before any call.
    fileprivate func unused(_ bind: TracedCall, _ ip: IPAddress) -> Observation? {
        let there = tracedControl
        let (statement, site) = told(bind)
        guard !bind.isOfMachine, site.line != nil,
            run.seen.questions.contains(where: { !$0.first.synthesisedFrom.isEmpty }),
            !calls.attempts.contains(where: \.isToHost),
            let same = there.own.first(where: {
                $0.name == .bind && $0.address == bind.address && $0.site(in: there).isSamePlace(as: site)
            }),
            let sent = there.attempts.first(where: { $0.isLater(onSocketOf: same) && $0.leavesTheMachine }),
            let host = sent.address?.ip
        else { return nil }
        return Observation(
            "\(statement), and it sent nothing from there; on dual-stack it sends to \(host): nothing goes from there to an IPv6 host.",
            at: site, about: .address(ip))
    }
}

extension CallEvidence {
    /// Whether the address was chosen before the socket was bound, among IPv4 addresses alone: the program had asked the DNS, and made no
    /// IPv6 socket.
    fileprivate func followsChoice(_ bind: TracedCall) -> Bool {
        let before = calls.filter { $0.program == bind.program && $0.time <= bind.time }
        return before.contains { $0.isAttempt && $0.address?.port == 53 }
            && !own.contains {
                $0.name == .socket && $0.program == bind.program && $0.socket?.family == SocketKind.ipv6
            }
    }
}

extension TracedCall {
    /// Whether the address is in 127/8.
    fileprivate var isOfMachine: Bool { ipv4.map { $0.bits >> 24 == 127 } ?? false }
}

/// Whether an attempt failed because the source is IPv4 and the far end has an IPv6 address.
private func lacksIPv6(for call: TracedCall, in examination: Examination) -> Bool {
    guard let ip = call.address?.ip else { return false }
    return ip.isIPv4
        ? call.isUnreachable && examination.nameWithIPv6(of: ip) != nil : call.error == .familyNotSupported
}
