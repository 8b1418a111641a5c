// SPDX-License-Identifier: Apache-2.0
package import DNSWire

/// The kernel's counters of the client's network namespace, which is new for each run and has no other processes.
package struct NamespaceCounters: Codable, Hashable, Sendable {
    /// IPv4 connections and datagrams without a route: each attempt counts, whatever program or library makes it.
    package var unroutedIPv4: Int
    /// IPv6 connections and datagrams without a route.
    package var unroutedIPv6: Int
    /// Packets that the loopback interface carried.
    package var loopback: Int
    /// Packets of either family, multicast included (which no flow has), but without ICMPv6, which the kernel sends by itself (RFC 4861,
    /// RFC 9777).
    package var sent: Int

    package init(unroutedIPv4: Int = 0, unroutedIPv6: Int = 0, loopback: Int = 0, sent: Int = 0) {
        self.unroutedIPv4 = unroutedIPv4
        self.unroutedIPv6 = unroutedIPv6
        self.loopback = loopback
        self.sent = sent
    }
}

extension RunEvidence {
    /// Whether the client did not use the network at all: it asked nothing, sent nothing, not even over loopback, and did not try to. `nil`
    /// if that is not known.
    package var isSilent: Bool? {
        guard let counters else { return nil }
        return !hasSentSomething && seen.servedQueries.isEmpty && seen.connections.isEmpty
            && counters == NamespaceCounters()
    }

    /// The minimum number of the client's IPv4 attempts that had no route; `nil` if it is not known, or the client was on several networks.
    ///
    /// Attempts that a look-up with several addresses makes are not counted: getaddrinfo of glibc, musl and Go connects a datagram socket
    /// to each of them to learn which one is best (RFC 6724 §6). Nor are those of Happy Eyeballs if IPv6 answers late (RFC 8305 §5).
    /// Without an IPv4 loopback address, look-ups of "localhost" are counted, too.
    package var failedIPv4Attempts: Int? {
        guard let counters, timeline.isEmpty else { return nil }
        let both = seen.namesAskedForIPv6
        let known = knownComparisons
        let own = seen.questions.filter { $0.question.type == .a }.map { query in
            let addresses = query.addresses.count
            let isForBoth = both.contains(query.question.name)
            guard isForBoth || addresses > 1 else { return 0 }
            let (comparing, others) = known[query.question.name] ?? (0, 0)
            // Any look-up that the library did not see may have compared addresses.
            let comparisons = comparing + max(0, query.count - comparing - others)
            return addresses * (comparisons + (isForBoth ? lateAttempts(at: query.question.name) : 0))
        }
        return max(0, counters.unroutedIPv4 - own.reduce(0, +))
    }

    /// The look-ups of each name that the preloaded library saw: those that compared addresses, and the others that may have asked for A
    /// records. Empty if not all are known.
    private var knownComparisons: [DomainName: (comparing: Int, others: Int)] {
        guard lostLookups == 0, !maySynthesise else { return [:] }
        var known: [DomainName: (comparing: Int, others: Int)] = [:]
        for lookup in lookups where lookup.hints?.family != LookupHints.ipv6 {
            guard let name = lookup.node.flatMap({ try? DomainName($0) }) else { continue }
            if lookup.call == .getaddrinfo, lookup.answers.count > 1 {
                known[name, default: (0, 0)].comparing += lookup.count
            } else {
                known[name, default: (0, 0)].others += lookup.count
            }
        }
        return known
    }

    /// Connections to a host that were answered so late, or refused, that a second one, by IPv4, may have been begun.
    private func lateAttempts(at name: DomainName) -> Int {
        let addresses = Set(seen.questions.filter { $0.question.name == name }.flatMap(\.addresses))
        return seen.flows.filter { flow in
            // Among datagrams, only those of QUIC race by both families.
            guard addresses.contains(flow.remote), !flow.isInbound, flow.transport == .tcp || flow.port == 443 else {
                return false
            }
            // A client that its host refuses goes on to the next address, as getaddrinfo lists them.
            if flow.refused > 0 { return true }
            guard let times = flow.times, let answer = times.answer else { return true }
            return answer - times.first >= Self.shortestHeadStart
        }.reduce(0) { $0 + max(1, $1.attempts) }
    }

    /// The minimum of RFC 8305 §5, which recommends 250 ms.
    private static let shortestHeadStart = Duration.milliseconds(100)
}

extension NetworkEvidence {
    /// Names whose AAAA records the client asked any resolver for.
    package var namesAskedForIPv6: Set<DomainName> {
        Set((questions.map(\.question) + servedQueries.map(\.question)).filter { $0.type == .aaaa }.map(\.name))
    }
}
