import Wire

/// What was seen of one run of the client on one network.
package struct RunEvidence: Hashable, Sendable {
    package var network: Network
    package var end: ClientEnd
    package var duration: Duration
    package var questions: [DNSQuestion]
    /// What `questions` sums up, one by one.
    package var queries: DNSQueryLog
    package var flows: [Flow]
    package var refusals: [Refusal]
    /// Of the NAT64; empty on a network without.
    package var counters: [NamedCount]
    /// Whose getaddrinfo the client found.
    package var profile: GetaddrinfoProfile
    package var lookups: [Lookup]
    /// Programs that the client started and that had no part in the profile.
    package var uncovered: [UncoveredProgram]
    package var survivors = SurvivingProcesses()
    /// Links that were deleted while the client ran.
    package var deletedLinks: [DeletedLink] = []
    /// Observations that did not fit the bounded logs.
    package var lost: Int

    package init(
        network: Network, end: ClientEnd, duration: Duration, questions: [DNSQuestion] = [],
        queries: DNSQueryLog = DNSQueryLog(), flows: [Flow] = [], refusals: [Refusal] = [],
        counters: [NamedCount] = [], profile: GetaddrinfoProfile = .linux, lookups: [Lookup] = [],
        uncovered: [UncoveredProgram] = [], lost: Int = 0
    ) {
        self.network = network
        self.end = end
        self.duration = duration
        self.questions = questions
        self.queries = queries
        self.flows = flows
        self.refusals = refusals
        self.counters = counters
        self.profile = profile
        self.lookups = lookups
        self.uncovered = uncovered
        self.lost = lost
    }

    package init(network: Network, end: ClientEnd, duration: Duration, seen: NetworkEvidence) {
        self.init(
            network: network, end: end, duration: duration, questions: seen.questions, queries: seen.queries,
            flows: seen.flows, refusals: seen.refusals, counters: seen.counters, lost: seen.lost)
        // The client's link goes with its namespace after every run.
        deletedLinks = (seen.deletedLinks ?? []).filter { $0.time <= duration }
    }

    /// The name by which the client came to know `flow`'s address, where the DNS told it.
    package func name(of flow: Flow) -> String? {
        let address = flow.remote.description
        return questions.first { $0.answers.contains(address) }?.name
    }

    /// The synthesised addresses without which the client would not have got where it went: getaddrinfo gave them, no
    /// answer of the DNS did, and they were used.
    package var usedSynthesis: [Lookup] {
        let used = Set(flows.filter { name(of: $0) == nil }.map(\.remote))
        return lookups.filter { lookup in lookup.synthesised.contains { used.contains(.ipv6($0)) } }
    }
}
