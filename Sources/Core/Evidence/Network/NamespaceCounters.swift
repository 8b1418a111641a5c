// SPDX-License-Identifier: Apache-2.0
package import DNSWire

/// What the kernel counted in the client's network namespace, which begins with the run and has no process but the client's.
package struct NamespaceCounters: Codable, Hashable, Sendable {
    /// IPv4 connections and datagrams that had no route: each attempt counts, whatever program or library makes it.
    package var unroutedIPv4: Int
    /// The same of IPv6.
    package var unroutedIPv6: Int
    /// Packets that the loopback interface carried.
    package var loopback: Int
    /// Packets of either family but ICMPv6, which the kernel sends by itself (RFC 4861, RFC 9777); multicast, which no flow has, among them.
    package var sent: Int

    package init(unroutedIPv4: Int = 0, unroutedIPv6: Int = 0, loopback: Int = 0, sent: Int = 0) {
        self.unroutedIPv4 = unroutedIPv4
        self.unroutedIPv6 = unroutedIPv6
        self.loopback = loopback
        self.sent = sent
    }
}

extension RunEvidence {
    /// Whether the client did not use the network at all: it asked nothing, sent nothing, be it over loopback, and did not try to. `nil` if
    /// that is not known.
    package var isSilent: Bool? {
        guard let counters else { return nil }
        return !hasSentSomething && seen.servedQueries.isEmpty && seen.connections.isEmpty
            && counters == NamespaceCounters()
    }

    /// How many IPv4 attempts of the client's had no route, at least; `nil` if that is not known, or it was on several networks.
    ///
    /// A look-up that gives several addresses makes some of its own that are not counted here: getaddrinfo of glibc, musl and Go connects a
    /// datagram socket to each of them to learn which one is best (RFC 6724 §6). So does Happy Eyeballs, where IPv6 answers late
    /// (RFC 8305 §5). Where there is no IPv4 loopback address, look-ups of "localhost" are counted here as well.
    package var failedIPv4Attempts: Int? {
        guard let counters, timeline.isEmpty else { return nil }
        let both = seen.namesAskedForIPv6
        let own = seen.questions.filter { $0.question.type == .a }.map { query in
            let addresses = query.addresses.count
            if !both.contains(query.question.name) { return addresses > 1 ? addresses * query.count : 0 }
            return addresses * (query.count + lateAttempts(at: query.question.name))
        }
        return max(0, counters.unroutedIPv4 - own.reduce(0, +))
    }

    /// Connections to a host that were answered so late that a second one, by IPv4, may have been begun.
    private func lateAttempts(at name: DomainName) -> Int {
        let addresses = Set(seen.questions.filter { $0.question.name == name }.flatMap(\.addresses))
        return seen.flows.filter { flow in
            guard addresses.contains(flow.remote), !flow.isInbound else { return false }
            guard let times = flow.times, let answer = times.answer else { return true }
            return answer - times.first >= Self.shortestHeadStart
        }.reduce(0) { $0 + max(1, $1.attempts) }
    }

    /// RFC 8305 §5 recommends 250 ms, and allows no less than this.
    private static let shortestHeadStart = Duration.milliseconds(100)
}

extension NetworkEvidence {
    /// Names whose AAAA records the client asked for, of whatever resolver.
    package var namesAskedForIPv6: Set<DomainName> {
        Set((questions.map(\.question) + servedQueries.map(\.question)).filter { $0.type == .aaaa }.map(\.name))
    }
}
