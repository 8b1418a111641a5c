// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Evidence
import Wire

extension Rule {
    /// A program that uses only IPv4 addresses of an answer tries these (V6C-003). A program that tries nothing at all has looked at the
    /// addresses: it has a guard against server-side request forgery, which takes 64:ff9b::/96 for a reserved range, or code that converts
    /// the addresses to text and cannot read it.
    package static let refusesSynthesisedAddress = Rule(
        id: "V6C-044", title: "gets a synthesised address and makes no attempt at it",
        advice: "Look for what refuses it. \(ofText) A pattern or a type for IPv4 only has to accept both. \(ofGuard)",
        adviceByLanguage: [
            .c:
                "Look for what refuses it. The text of an address needs INET6_ADDRSTRLEN octets (46), and getnameinfo NI_MAXHOST; a socket "
                + "address needs sizeof (struct sockaddr_storage). \(ofText) \(ofGuard)",
            .go:
                "Look for what refuses it. Join host and port by net.JoinHostPort, not by Sprintf(\"%s:%d\"), which gives \"too many colons "
                + "in address\", and split them by net.SplitHostPort. Drop nothing by To4(). \(ofGuard)",
            .python:
                "Look for what refuses it. Code that splits host:port has to write [address]:port and use rpartition(\":\") or urlsplit. For "
                + "IPv4Address use ip_address. \(ofGuard) ipaddress calls those of 64:ff9b::/96 and of a network's own prefix reserved, "
                + "private or not global.",
            .node:
                "Look for what refuses it: net.isIPv4, a pattern for four numbers, a split at a colon. \(ofText) new URL takes them "
                + "apart. \(ofGuard)",
            .java:
                "Look for what refuses it: Inet4Address, getAddress() with four octets, a pattern for four numbers, a split at a colon. "
                + "\(ofText) \(ofGuard)",
            .ruby:
                "Look for what refuses it: IPAddr's ipv4?, a pattern for four numbers, a split at a colon. \(ofText) \(ofGuard)",
            .php:
                "Look for what refuses it: FILTER_FLAG_IPV4, ip2long, a pattern for four numbers, explode at a colon. \(ofText) \(ofGuard)",
            .perl:
                "Look for what refuses it: inet_aton, a pattern for four numbers, a split at a colon. \(ofText) \(ofGuard)",
            .rust:
                "Look for what refuses it: Ipv4Addr, SocketAddr::V4 alone, a split at a colon. Parse into IpAddr and SocketAddr. \(ofGuard)",
        ],
        networks: [.nat64], needs: [.queries, .flows], supersedes: ["V6C-003", "V6C-016"]
    ) { examination in
        let evidence = examination.traced
        // A guard between socket(2) and connect(2), such as Control of Go's Dialer, lets the client go on to the IPv4 address.
        let unused = evidence.unusedSocket(after: evidence.firstQuestion)
        func isExplained(_ call: TracedCall) -> Bool { unused != nil && isFallback(call) }
        guard let control = examination.control, control.end.isSuccess, examination.isTraced,
            examination.run.seen.flows.isEmpty, endsByItself(examination.run),
            !evidence.attempts.contains(where: { $0.isToHost && !isExplained($0) }),
            !evidence.own.contains(where: { isObstacle($0) && !isExplained($0) })
        else { return [] }
        let used = Set(control.seen.flows.compactMap { control.names[$0] })
        return examination.run.seen.questions.compactMap { query in
            guard query.question.type == .aaaa, used.contains(query.name), !query.first.synthesisedFrom.isEmpty,
                let address = query.addresses.last
            else { return nil }
            if let unused {
                let site = unused.site(in: evidence)
                return Observation(
                    .name(query.name),
                    "\(query.name) has \(address), which is synthesised, and it did not connect the socket that it made for that: "
                        + "\(unused, at: site).", at: site)
            }
            let site = examination.site(ofLookupOf: query.name)
            return Observation(
                .name(query.name),
                "\(query.name) has \(address), which is synthesised, and it made no attempt at any address; on dual-stack it connected."
                    + examination.lookupPlace(site), at: site)
        }
    }
}

private let ofText = "Write [address]:port, in a URL as well, and split at the last colon."
private let ofGuard =
    "A check of addresses (against server-side request forgery) has to check the IPv4 address that is embedded (RFC 6052 §2.2)."

/// Whether the call is one at an IPv4 address, without a way there.
private func isFallback(_ call: TracedCall) -> Bool { call.ipv4 != nil && call.isUnreachable }

extension CallEvidence {
    /// A stream socket for IPv6 that a program made and neither bound nor connected before its number was given to another file, and after
    /// which the same program tried an IPv4 address. Programs make others to find out whether the machine has IPv6.
    fileprivate func unusedSocket(after time: Duration) -> TracedCall? {
        own.first { made in
            guard made.name == .socket, made.socket?.family == SocketKind.ipv6, made.socket?.type == SocketKind.stream,
                made.time > time, case .succeeded(let number) = made.outcome
            else { return false }
            let later = own.filter { $0.program == made.program && $0.time > made.time }
            guard later.contains(where: { $0.isToHost && isFallback($0) }) else { return false }
            for call in later {
                if call.name == .socket, call.outcome == .succeeded(number) { return true }
                if call.descriptor == number, [.bind, .connect, .sendto, .sendmsg].contains(call.name) { return false }
            }
            return true
        }
    }
}

/// Whether it gave up of its own accord, and soon: a program that refuses an address does not wait.
private func endsByItself(_ run: RunEvidence) -> Bool {
    guard case .exited = run.end else { return false }
    guard let last = run.seen.queries.queries.last else { return true }
    return run.duration - (last.time - .zero) < .seconds(3)
}

/// Whether a call failed that may have kept the client from trying.
private func isObstacle(_ call: TracedCall) -> Bool {
    switch call.name {
    case .socket, .bind, .setsockopt, .connect: call.error != nil && !isOfTheMachine(call)
    case .listen, .sendto, .sendmsg, .sendmmsg, .ioctl, .openat, .ioUringSetup: false
    }
}

/// Programs try name service daemons and the like, which often do not exist.
private func isOfTheMachine(_ call: TracedCall) -> Bool {
    switch call.address {
    case .ip(let address, _): address.isOfTheMachine
    case .unix: true
    case .other, nil: false
    }
}
