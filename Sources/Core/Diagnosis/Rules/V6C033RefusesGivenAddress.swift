// SPDX-License-Identifier: Apache-2.0
import Evidence
import Wire

extension Rule {
    /// A pattern for four numbers with dots, or a test for the colon of a port, refuses an address that any socket accepts. As nothing
    /// leaves the program on either network, the address that it was given is the only evidence: so it is a note. A program that has made a
    /// socket has parsed its addresses.
    package static let refusesGivenAddress = Rule(
        id: "V6C-033", title: "is given an IPv6 address and ends without any attempt", severity: .note,
        advice:
            "Let the platform read addresses (inet_pton, getaddrinfo) instead of a pattern, take the brackets of a URL off before, and keep "
            + "a zone (fe80::1%eth0).",
        adviceByLanguage: [
            .python: "Read addresses with ipaddress.ip_address, and URLs with urllib.parse.urlsplit(url).hostname.",
            .node:
                "Test addresses with net.isIP, and take the brackets off the hostname of a URL before connecting.",
            .go: "Read addresses with netip.ParseAddr, and split by net.SplitHostPort.",
            .java: "Read addresses with InetAddress.getByName, which takes brackets, too.",
            .ruby: "Read addresses with IPAddr.new, and take the hostname of a URI, not its host.",
            .php: "Test addresses with filter_var($text, FILTER_VALIDATE_IP), without FILTER_FLAG_IPV4.",
            .perl: "Read addresses with Socket::inet_pton of either family, or give them to IO::Socket::IP.",
            .rust: "Parse std::net::IpAddr instead of Ipv4Addr.",
        ],
        networks: .ipv6Only, needs: [.queries, .flows]
    ) { examination in
        let evidence = examination.traced
        guard !examination.run.hasSentSomething, examination.control?.hasSentSomething != true,
            !evidence.own.contains(where: isOfSockets)
        else { return [] }
        return evidence.given.map { given in
            Observation(
                "It was given \(given.address) (\(given.origin)), and ended before any call to the network.",
                about: .address(.ipv6(given.address)))
        }
    }
}

private func isOfSockets(_ call: TracedCall) -> Bool {
    switch call.name {
    case .socket: [SocketKind.ipv4, SocketKind.ipv6].contains(call.socket?.family)
    case .bind, .listen, .connect, .sendto, .sendmsg, .sendmmsg: call.address?.ip != nil
    case .setsockopt, .ioctl, .openat, .ioUringSetup: false
    }
}
