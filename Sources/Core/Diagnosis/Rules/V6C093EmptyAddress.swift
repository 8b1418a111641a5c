// SPDX-License-Identifier: Apache-2.0
import Evidence
import Wire

extension Rule {
    /// A sockaddr_in6 that is read as a sockaddr_in has its flow label in place of the IPv4 address, which is then 0.0.0.0 (RFC 3493 §3.3).
    /// A program that looks for an IPv4 address among IPv6 ones leaves its socket address as it was: zeros, which are AF_UNSPEC. Linux
    /// connects to the machine itself in the first case, and ends a connection in the second.
    package static let connectsToNoAddress = Rule(
        id: "V6C-093", title: "connects to an empty socket address, where on dual-stack there is an IPv4 one",
        severityIfPassing: .warning,
        advice:
            "Pass on the socket address that getaddrinfo gives, with its ai_family and ai_addrlen, as a sockaddr_storage: do not copy "
            + "sin_addr out of it.",
        adviceByLanguage: [
            .python: "Connect to the sockaddr that socket.getaddrinfo gives, or use socket.create_connection.",
            .go: "Dial the name, or use netip.AddrPort: IP.To4 gives nil for an IPv6 address.",
            .rust: "Keep the std::net::SocketAddr as it is; do not make an Ipv4Addr of it.",
        ],
        networks: .ipv6Only, clients: .all,
        supersedes: ["V6C-003", "V6C-004", "V6C-016", "V6C-017", "V6C-044", "V6C-087"]
    ) { examination in
        let (here, there) = (examination.calls, examination.tracedControl)
        let empty = here.own.filter(isToNoHost)
        return examination.observations(of: empty) { call, site in
            // A connection to the machine itself on both networks is intended.
            let meant = there.own.first {
                $0.name == call.name && $0.site(in: there).isSamePlace(as: site) && $0.leavesTheMachine
            }
            if let host = meant?.address?.ip {
                return "\(call, at: site): this is no host. On dual-stack it goes to \(host) there."
            }
            return examination.missedHost(at: call.address?.port).map {
                "\(call, at: site): this is no host. On dual-stack it goes to \($0)."
            }
        }
    }
}

extension Examination {
    /// The host that a client which passes reached at a port in a control run without a trace, and not here.
    fileprivate func missedHost(at port: UInt16?) -> IPAddress? {
        guard run.end.isSuccess, let control, control.calls == nil else { return nil }
        let reached = Set(run.seen.flows.map(\.host))
        return control.seen.flows.first { flow in
            flow.isReached && !flow.isInbound && flow.port != 53 && (port == nil || port == flow.port)
                && !reached.contains(flow.host)
        }?.host
    }
}

private func isToNoHost(_ call: TracedCall) -> Bool {
    switch call.address {
    case .ip(.ipv4(let address), _): call.isAttempt && address.bits == 0
    case .ip(.ipv6(let address), _): call.isAttempt && address.bits == 0
    case .other(family: 0): call.name == .connect
    case .other, .unix, nil: false
    }
}
