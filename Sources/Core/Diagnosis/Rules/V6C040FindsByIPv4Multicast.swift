// SPDX-License-Identifier: Apache-2.0
import Evidence
import Wire

extension Rule {
    /// Discovery by a group or by broadcast has an IPv4 form and an IPv6 form, and nothing translates one into the other.
    package static let findsByIPv4Multicast = Rule(
        id: "V6C-040", title: "looks for others by IPv4 multicast or broadcast",
        severityIfPassing: .warning,
        advice:
            "Use the protocol's IPv6 groups beside its IPv4 ones (mDNS ff02::fb, SSDP ff02::c), with an interface index in place of an "
            + "address, and go on if neither answers. There is no broadcast in IPv6: ff02::1 is all hosts.",
        networks: .ipv6Only, clients: .all,
        supersedes: ["V6C-001", "V6C-003", "V6C-004", "V6C-005", "V6C-044"]
    ) { examination in
        let evidence = examination.traced
        let calls = evidence.own.filter {
            $0.error != nil && (isToGroup($0) || joinsGroup($0) && !examination.failsLater(than: $0))
        }
        // A client that passes and has the other half loses nothing.
        if examination.run.end.isSuccess, evidence.own.contains(where: usesIPv6Group) { return [] }
        return examination.observations(of: calls) { call, site in
            "\(call, at: site): without IPv4 there is neither its multicast nor its broadcast."
        }
    }
}

extension Examination {
    /// Whether the client went on after a call and then reached no host: the call did not end it.
    fileprivate func failsLater(than call: TracedCall) -> Bool {
        !run.end.isSuccess && !traced.isLast(call) && run.seen.flows.isEmpty
    }
}

/// Whether it is for a group or for broadcast. Streams do not count: inet_addr returns such an address for text that it cannot read.
private func isToGroup(_ call: TracedCall) -> Bool {
    guard call.isAttempt, call.socket?.type != SocketKind.stream, let address = call.ipv4 else { return false }
    return address.bits >> 28 == 0xe || address.bits == .max
}

/// Whether it joined an IPv6 group, or sent something there: IPV6_ADD_MEMBERSHIP, MCAST_JOIN_GROUP, MCAST_JOIN_SOURCE_GROUP of IPPROTO_IPV6
/// (ipv6(7)).
private func usesIPv6Group(_ call: TracedCall) -> Bool {
    guard call.error == nil else { return false }
    if case .option(level: 41, let option, _) = call.subject { return [20, 42, 46].contains(option) }
    guard call.isAttempt, case .ipv6(let group) = call.address?.ip else { return false }
    return group.isMulticast
}

/// Whether it joins a group, or chooses the interface for one: IP_MULTICAST_IF of IPPROTO_IP (ip(7)).
private func joinsGroup(_ call: TracedCall) -> Bool {
    if case .option(level: 0, option: 32, _) = call.subject { true } else { call.joinsIPv4Group }
}

extension TracedCall {
    /// IP_ADD_MEMBERSHIP, IP_ADD_SOURCE_MEMBERSHIP, MCAST_JOIN_GROUP, MCAST_JOIN_SOURCE_GROUP of IPPROTO_IP (ip(7)).
    var joinsIPv4Group: Bool {
        guard case .option(level: 0, let option, _) = subject else { return false }
        return [35, 39, 42, 46].contains(option)
    }
}
