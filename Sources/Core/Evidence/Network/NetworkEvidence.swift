package import Translation
package import Wire

/// What a network saw of one client: the part of the evidence that a simulator has, be it in another process.
package struct NetworkEvidence: Codable, Hashable, Sendable {
    /// Each different question and answer once.
    package var questions: [RepeatedQuery] = []
    /// What `questions` sums up, one by one.
    package var queries = QueryExcerpt()
    package var flows: [Flow] = []
    package var drops: [Drop] = []
    /// What the network's conditions did to packets; `nil` where there are none.
    package var conditions: ConditionEvidence?
    /// What the links of hosts did that have conditions of their own, and of which something came or went.
    package var hostConditions: [ConditionEvidence] = []
    /// What the NAT64 counted; empty on a network without.
    package var counters: [NamedCount] = []
    /// Links that were deleted while the client was connected.
    package var deletedLinks: [DeletedLink] = []
    /// What the world had no room for.
    package var refusals: [WorldRefusal] = []
    /// What was sent and received, where that was asked for, until it has been read.
    package var payloads: PayloadRecord?
    /// What the world's servers saw of it that speak HTTP or TLS.
    package var connections: [ServedConnection] = []
    /// What it asked the world's own resolvers in place of the network's.
    package var servedQueries: [ServedQuery] = []
    /// What is missing above.
    package var lost = LostObservations()

    package init() {}
}
