// SPDX-License-Identifier: Apache-2.0
import Evidence
import Wire

extension Rule {
    /// IP_TTL, IP_HDRINCL and their like belong to IPPROTO_IP. Linux takes some of them on an IPv6 socket, to no effect, and
    /// refuses others; a raw socket refuses them all.
    package static let setsIPv4Option = Rule(
        id: "V6C-045", title: "sets an IPv4 option on an IPv6 socket, and treats the error as fatal",
        advice:
            "Choose level and option by the socket's family: for AF_INET6 IPPROTO_IPV6 with IPV6_UNICAST_HOPS, IPV6_TCLASS, "
            + "IPV6_MTU_DISCOVER or IPV6_MULTICAST_IF. Go on where an option that only tunes is refused.",
        adviceByLanguage: [
            .python:
                "Choose level and option by socket.family: IPPROTO_IPV6 with IPV6_UNICAST_HOPS or IPV6_TCLASS for AF_INET6.",
            .ruby:
                "Choose level and option by the address family: Socket::IPPROTO_IPV6 with Socket::IPV6_UNICAST_HOPS.",
            .perl: "Choose level and option by the socket's family: IPPROTO_IPV6 with IPV6_UNICAST_HOPS.",
            .php: "Choose level and option by the socket's family: IPPROTO_IPV6 with IPV6_UNICAST_HOPS.",
        ],
        networks: .ipv6Only, supersedes: ["V6C-003", "V6C-004", "V6C-044"]
    ) { examination in
        let calls = examination.calls.own
        return calls.filter { isRefused($0) && !isUsed($0, in: calls) }.map { call in
            let (statement, site) = examination.told(call)
            return Observation("\(statement), and then it did without the socket: the socket is for IPv6.", at: site)
        }.unique
    }
}

private func isRefused(_ call: TracedCall) -> Bool {
    guard case .option(ipProtocol, let option, let kind) = call.subject, kind?.family == SocketKind.ipv6 else {
        return false
    }
    return call.error != nil && !memberships.contains(option)
}

/// IPPROTO_IP
private let ipProtocol = 0

/// IP_ADD_MEMBERSHIP to MCAST_LEAVE_SOURCE_GROUP: who joins an IPv4 group looks for others by it (V6C-040).
private let memberships = 35...47

/// Whether the program went on with the socket.
private func isUsed(_ option: TracedCall, in calls: [TracedCall]) -> Bool {
    calls.contains { call in
        call.isAttempt && call.program == option.program && call.descriptor == option.descriptor
            && call.time > option.time && call.socket?.family == SocketKind.ipv6
    }
}
