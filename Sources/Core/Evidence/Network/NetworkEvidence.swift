// SPDX-License-Identifier: Apache-2.0
package import Translation
package import Wire

/// A network's observations of one client: the part of the evidence that comes from the simulator, which may be in another process.
package struct NetworkEvidence: Hashable, Sendable {
    /// Each different question and answer once.
    package var questions: [RepeatedQuery] = []
    /// The queries summed up in `questions`, one by one.
    package var queries = QueryExcerpt()
    package var flows: [Flow] = []
    package var drops: [Drop] = []
    /// The prefix of the client's own link, in presentation format; `nil` for the standard one.
    package var clientPrefix: String?
    /// The effect of the network's conditions on packets; `nil` if there are none.
    package var conditions: ConditionEvidence?
    /// The effects of hosts' own link conditions, for links that carried packets.
    package var hostConditions: [ConditionEvidence] = []
    /// The NAT64's counters; empty on a network without one.
    package var counters: [NamedCount] = []
    /// Links that were deleted while the client was connected.
    package var deletedLinks: [DeletedLink] = []
    /// Refusals by the world's servers.
    package var refusals: [WorldRefusal] = []
    /// Payloads sent and received, if they were asked for; removed once they have been read.
    package var payloads: PayloadRecord?
    /// The client's connections to those of the world's servers that speak HTTP or TLS.
    package var connections: [ServedConnection] = []
    /// The client's queries to the world's own resolvers in place of the network's.
    package var servedQueries: [ServedQuery] = []
    /// Numbers of observations that are missing above.
    package var lost = LostObservations()

    package init() {}
}

/// Empty values are left out: the runtime does a lot of work at the first use of each type, and most runs have few of them.
extension NetworkEvidence: Codable {
    private enum CodingKeys: String, CodingKey {
        case questions, queries, flows, drops, clientPrefix, conditions, hostConditions, counters
        case deletedLinks, refusals, payloads, connections, servedQueries, lost
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        // Checked first: decoding a missing value costs this work, too.
        func has(_ key: CodingKeys) -> Bool { container.contains(key) }
        if has(.questions) { questions = try container.decode([RepeatedQuery].self, forKey: .questions) }
        if has(.queries) { queries = try container.decode(QueryExcerpt.self, forKey: .queries) }
        if has(.flows) { flows = try container.decode([Flow].self, forKey: .flows) }
        if has(.drops) { drops = try container.decode([Drop].self, forKey: .drops) }
        if has(.clientPrefix) { clientPrefix = try container.decode(String.self, forKey: .clientPrefix) }
        if has(.conditions) { conditions = try container.decode(ConditionEvidence.self, forKey: .conditions) }
        if has(.hostConditions) {
            hostConditions = try container.decode([ConditionEvidence].self, forKey: .hostConditions)
        }
        if has(.counters) { counters = try container.decode([NamedCount].self, forKey: .counters) }
        if has(.deletedLinks) { deletedLinks = try container.decode([DeletedLink].self, forKey: .deletedLinks) }
        if has(.refusals) { refusals = try container.decode([WorldRefusal].self, forKey: .refusals) }
        if has(.payloads) { payloads = try container.decode(PayloadRecord.self, forKey: .payloads) }
        if has(.connections) { connections = try container.decode([ServedConnection].self, forKey: .connections) }
        if has(.servedQueries) { servedQueries = try container.decode([ServedQuery].self, forKey: .servedQueries) }
        if has(.lost) { lost = try container.decode(LostObservations.self, forKey: .lost) }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        if !questions.isEmpty { try container.encode(questions, forKey: .questions) }
        if !queries.isEmpty { try container.encode(queries, forKey: .queries) }
        if !flows.isEmpty { try container.encode(flows, forKey: .flows) }
        if !drops.isEmpty { try container.encode(drops, forKey: .drops) }
        if let clientPrefix { try container.encode(clientPrefix, forKey: .clientPrefix) }
        if let conditions { try container.encode(conditions, forKey: .conditions) }
        if !hostConditions.isEmpty { try container.encode(hostConditions, forKey: .hostConditions) }
        if !counters.isEmpty { try container.encode(counters, forKey: .counters) }
        if !deletedLinks.isEmpty { try container.encode(deletedLinks, forKey: .deletedLinks) }
        if !refusals.isEmpty { try container.encode(refusals, forKey: .refusals) }
        if let payloads { try container.encode(payloads, forKey: .payloads) }
        if !connections.isEmpty { try container.encode(connections, forKey: .connections) }
        if !servedQueries.isEmpty { try container.encode(servedQueries, forKey: .servedQueries) }
        if lost != LostObservations() { try container.encode(lost, forKey: .lost) }
    }
}
