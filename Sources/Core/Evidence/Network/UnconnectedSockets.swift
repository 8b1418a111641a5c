// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Wire

/// Numbers of IPv4 sockets without a peer that the client closed, by the kernel's own messages; those of the loopback are not counted.
///
/// They hint at acts by IPv4 that neither the network nor the counters show. `RunPlan` has such a client run once more, traced.
package struct UnconnectedSockets: Codable, Hashable, Sendable {
    /// TCP sockets without a port: their connection had no route, or they were never used.
    package var streams: Int
    /// Datagram sockets without a port, such as those for questions about interfaces, and for memberships of groups.
    package var datagrams: Int
    /// Sockets with a port that the program chose: servers, and searches for other hosts.
    package var bound: Int

    package init(streams: Int = 0, datagrams: Int = 0, bound: Int = 0) {
        self.streams = streams
        self.datagrams = datagrams
        self.bound = bound
    }
}

extension RunEvidence {
    /// Whether there were acts by IPv4 that an untraced run does not show: the kernel tells of them, or getaddrinfo refused an IPv4
    /// literal. A TCP socket that was never used counts only beside an attempt without a route, as some libraries make one to learn
    /// whether the machine has IPv4.
    package var hasHiddenIPv4: Bool {
        if failedIPv4Attempts ?? 0 > 0 || lookups.contains(where: \.isRefusedLiteral) { return true }
        guard let counters else { return false }
        if counters.unroutedIPv4 > 0, seen.asksForFamiliesApart { return true }
        guard let unconnected else { return false }
        return unconnected.datagrams > 0 || unconnected.bound > 0
            || unconnected.streams > 0 && counters.unroutedIPv4 > 0
    }
}

extension NetworkEvidence {
    /// Whether a name was asked for A and AAAA at different times and from different sockets: perhaps not by one look-up, whose comparison
    /// of addresses needs no explanation, but for two connections. getaddrinfo asks from one socket; Go asks from two, at the same time.
    fileprivate var asksForFamiliesApart: Bool {
        var asked: [DomainName: QueryRecord] = [:]
        for query in questions where query.question.type == .a { asked[query.question.name] = query.first }
        return questions.contains { query in
            guard query.question.type == .aaaa, let other = asked[query.question.name],
                other.client != query.first.client
            else { return false }
            let (earlier, later) = (min(other.time, query.first.time), max(other.time, query.first.time))
            return later - earlier > .microseconds(500)
        }
    }
}
