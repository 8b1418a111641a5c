// SPDX-License-Identifier: Apache-2.0
package import DNSWire
package import Wire

/// The evidence of one query that was answered, or dropped by a fault, in the same form from here to the reports.
///
/// Everything except time and client is in one object, which all queries with the same reply share: a record of a repeated reply costs one
/// reference to make, keep and drop.
package struct QueryRecord: Hashable, Sendable {
    /// Arrival time. In the evidence of a client, counted from when the client was connected.
    package var time: Instant
    package var client: Endpoint
    private(set) var shared: Shared

    /// The shared facts. They are immutable, so no lock is needed.
    final class Shared: Sendable {
        let facts: QueryFacts

        init(_ facts: QueryFacts) { self.facts = facts }
    }

    package init(
        time: Instant, client: Endpoint, transport: Transport, question: Question?, responseCode: ResponseCode?,
        source: Answer.Source, rule: AnswerRule
    ) {
        self.init(
            time: time, client: client,
            QueryFacts(
                transport: transport, question: question, responseCode: responseCode, source: source, rule: rule))
    }

    init(time: Instant, client: Endpoint, _ facts: QueryFacts) {
        self.init(time: time, client: client, Shared(facts))
    }

    /// Shares the facts of another query.
    init(time: Instant, client: Endpoint, _ shared: Shared) {
        self.time = time
        self.client = client
        self.shared = shared
    }

    package static func == (one: Self, other: Self) -> Bool {
        one.time == other.time && one.client == other.client
            && (one.shared === other.shared || one.facts == other.facts)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(time)
        hasher.combine(client)
        hasher.combine(facts)
    }
}

// MARK: - The facts, one by one

extension QueryRecord {
    /// Setting one fact copies all: to set many, make a `QueryFacts` first.
    private var facts: QueryFacts {
        get { shared.facts }
        set { shared = Shared(newValue) }
    }

    package var transport: Transport {
        get { shared.facts.transport }
        set { facts.transport = newValue }
    }

    package var question: Question? {
        get { shared.facts.question }
        set { facts.question = newValue }
    }

    package var flags: MessageFlags {
        get { shared.facts.flags }
        set { facts.flags = newValue }
    }

    package var dnssecOK: Bool {
        get { shared.facts.dnssecOK }
        set { facts.dnssecOK = newValue }
    }

    package var responseCode: ResponseCode? {
        get { shared.facts.responseCode }
        set { facts.responseCode = newValue }
    }

    package var answer: [ResourceRecord] {
        get { shared.facts.answer }
        set { facts.answer = newValue }
    }

    package var omittedAnswers: Int {
        get { shared.facts.omittedAnswers }
        set { facts.omittedAnswers = newValue }
    }

    package var source: Answer.Source {
        get { shared.facts.source }
        set { facts.source = newValue }
    }

    package var synthesisedFrom: [IPv4Address] {
        get { shared.facts.synthesisedFrom }
        set { facts.synthesisedFrom = newValue }
    }

    package var rule: AnswerRule {
        get { shared.facts.rule }
        set { facts.rule = newValue }
    }

    package var faults: [Fault.Effect] {
        get { shared.facts.faults }
        set { facts.faults = newValue }
    }

    package var refusal: RefusedQuery? {
        get { shared.facts.refusal }
        set { facts.refusal = newValue }
    }

    package var isTruncated: Bool {
        get { shared.facts.isTruncated }
        set { facts.isTruncated = newValue }
    }

    package var reason: NoAnswerReason? {
        get { shared.facts.reason }
        set { facts.reason = newValue }
    }
}

extension QueryRecord: Codable {
    private enum CodingKeys: CodingKey {
        case time, client
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            time: try container.decode(Instant.self, forKey: .time),
            client: try container.decode(Endpoint.self, forKey: .client), try QueryFacts(from: decoder))
    }

    /// Encodes one object, as if the facts were its own.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(time, forKey: .time)
        try container.encode(client, forKey: .client)
        try shared.facts.encode(to: encoder)
    }
}

extension QueryRecord: CustomStringConvertible {
    /// The record in one line.
    package var description: String {
        let asked = question.map { "\($0.name) \($0.type)" } ?? "?"
        let given = answer.map(\.data.description).joined(separator: ", ")
        let from =
            synthesisedFrom.isEmpty
            ? "" : " synthesised from " + synthesisedFrom.map(\.description).joined(separator: ", ")
        let why = reason.map { ": \($0)" } ?? ""
        return
            "\(client) \(transport.rawValue) \(asked) \(responseCode.map { "\($0)" } ?? "no reply") [\(given)] \(source)\(from) (\(rule))\(why)"
            + faults.map { ", fault: \($0)" }.joined()
    }
}
