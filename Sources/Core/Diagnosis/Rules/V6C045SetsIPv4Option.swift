// SPDX-License-Identifier: Apache-2.0
import Evidence
import Wire

extension Rule {
    /// IP_TTL, IP_HDRINCL and similar options belong to IPPROTO_IP. Linux accepts some of them on an IPv6 socket, without effect, and
    /// refuses others; a raw socket refuses them all.
    package static let setsIPv4Option = Rule(
        id: "V6C-045", title: "sets an IPv4 option on an IPv6 socket",
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
        networks: .ipv6Only, supersedes: ["V6C-003", "V6C-004", "V6C-044", "V6C-094"]
    ) { examination in
        let calls = examination.calls.own
        let refused = calls.filter { isRefused($0) && !isUsed($0, in: calls) }.map { call in
            let (statement, site) = examination.told(call)
            return Observation("\(statement), and then it did without the socket: the socket is for IPv6.", at: site)
        }
        return (refused.isEmpty ? examination.withoutEffect : refused).unique
    }
}

extension Examination {
    /// Options that Linux accepts on an IPv6 socket although they do not apply to IPv6 packets. A failure afterwards that is not a call's
    /// may be due to the missing effect. On dual-stack the same line sets them on an IPv4 socket.
    fileprivate var withoutEffect: [Observation] {
        guard case .exited = run.end, !calls.own.contains(where: { $0.isAttempt && $0.error != nil }) else { return [] }
        let there = tracedControl.own.filter { isOfIPv4($0) && $0.socket?.family == SocketKind.ipv4 }
        let here = calls.own.filter { isOfIPv4($0) && $0.error == nil && $0.socket?.family == SocketKind.ipv6 }
        return here.compactMap { call in
            let (statement, site) = told(call)
            let isCompared = there.contains {
                $0.subject.option == call.subject.option && $0.site(in: tracedControl).isSamePlace(as: site)
            }
            let effect: Statement = "Linux takes the option without any effect on what it sends and receives"
            return isCompared ? Observation("\(statement): the socket is for IPv6, and \(effect).", at: site) : nil
        }
    }
}

/// Whether it sets an IPv4 option for packets, or for information about them.
private func isOfIPv4(_ call: TracedCall) -> Bool {
    guard case .option(ipProtocol, let option, _) = call.subject else { return false }
    return packetOptions.contains(option)
}

extension TracedCall.Subject {
    fileprivate var option: Int? { if case .option(_, let option, _) = self { option } else { nil } }
}

/// ip(7): IP_TTL, IP_PKTINFO, IP_MTU_DISCOVER, IP_RECVERR, IP_RECVTTL, IP_RECVTOS, IP_MINTTL, IP_MULTICAST_TTL. IP_TOS only tunes.
private let packetOptions: Set = [2, 8, 10, 11, 12, 13, 21, 33]

private func isRefused(_ call: TracedCall) -> Bool {
    guard case .option(ipProtocol, let option, let kind) = call.subject, kind?.family == SocketKind.ipv6 else {
        return false
    }
    return call.error != nil && !memberships.contains(option)
}

/// IPPROTO_IP
private let ipProtocol = 0

/// IP_ADD_MEMBERSHIP to MCAST_LEAVE_SOURCE_GROUP: a program that joins an IPv4 group looks for other hosts in it (V6C-040).
private let memberships = 35...47

/// Whether the program used the socket afterwards.
private func isUsed(_ option: TracedCall, in calls: [TracedCall]) -> Bool {
    calls.contains { call in
        call.isAttempt && call.isLater(onSocketOf: option) && call.socket?.family == SocketKind.ipv6
    }
}
