/// What a network saw of one client: the part of the evidence that a simulator has, be it in another process.
package struct NetworkEvidence: Codable, Hashable, Sendable {
    package var questions: [DNSQuestion]
    package var queries: DNSQueryLog
    package var flows: [Flow]
    package var refusals: [Refusal]
    /// What the NAT64 counted.
    package var counters: [NamedCount]
    /// Absent in the evidence of a daemon that does not know of this.
    package var deletedLinks: [DeletedLink]?
    /// Observations that did not fit the bounded logs.
    package var lost: Int

    package init(
        questions: [DNSQuestion] = [], queries: DNSQueryLog = DNSQueryLog(), flows: [Flow] = [],
        refusals: [Refusal] = [], counters: [NamedCount] = [], deletedLinks: [DeletedLink] = [], lost: Int = 0
    ) {
        self.questions = questions
        self.queries = queries
        self.flows = flows
        self.refusals = refusals
        self.counters = counters
        self.deletedLinks = deletedLinks
        self.lost = lost
    }
}
