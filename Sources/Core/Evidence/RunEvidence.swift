package import DNSWire
import Wire

/// What was seen of one run of the client on one network.
package struct RunEvidence: Hashable, Sendable {
    package var network: Network
    package var end: ClientEnd
    package var duration: Duration
    /// By the network.
    package var seen: NetworkEvidence
    /// Whose getaddrinfo the client found.
    package var profile = GetaddrinfoProfile.linux
    package var lookups: [Lookup] = []
    /// Programs that the client started and that had no part in the profile.
    package var uncovered: [UncoveredProgram] = []
    package var survivors = SurvivingProcesses()
    /// Observations of the preloaded library that did not fit its bounded log.
    package var lostLookups = 0

    package init(network: Network, end: ClientEnd, duration: Duration, seen: NetworkEvidence = NetworkEvidence()) {
        self.network = network
        self.end = end
        self.duration = duration
        self.seen = seen
        // The client's link goes with its namespace after every run.
        self.seen.deletedLinks.removeAll { $0.time > duration }
    }

    /// Observations that did not fit the bounded logs.
    package var lost: Int { seen.lost + lostLookups }

    /// Whether the client sent anything that was seen.
    package var hasSentSomething: Bool { !seen.flows.isEmpty || !seen.questions.isEmpty }

    /// The name by which the client came to know `flow`'s address, if the DNS told it.
    package func name(of flow: Flow) -> DomainName? {
        seen.questions.first { $0.addresses.contains(flow.remote) }?.question.name
    }

    /// The synthesised addresses without which the client would not have got where it went: getaddrinfo gave them, no
    /// answer of the DNS did, and they were used.
    package var usedSynthesis: [Lookup] {
        let used = Set(seen.flows.filter { name(of: $0) == nil }.map(\.remote))
        return lookups.filter { lookup in lookup.synthesised.contains { used.contains(.ipv6($0)) } }
    }
}
