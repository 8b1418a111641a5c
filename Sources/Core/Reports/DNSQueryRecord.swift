// SPDX-License-Identifier: Apache-2.0
package import DNS64
import DNSWire
import Wire

/// A DNS query in JSON: in the report's `dns` and `queries`, and in the daemon's log.
package struct DNSQueryRecord: Codable, Hashable, Sendable {
    /// The address and port that asked.
    package let askedFrom: String
    /// `udp` or `tcp`.
    package let transport: String
    /// Absent, like type and class, if the query could not be read that far.
    package let name: String?
    package let type: String?
    package let `class`: String?
    /// The query's header flags and EDNS's `do`, as `dig` shows them: `rd`, `cd`, `ad`, `do`.
    package let flags: [String]
    /// Absent if a fault withheld the reply.
    package let responseCode: String?
    /// The records of the answer, each its type and its data: `AAAA 64:ff9b::c633:640a`.
    package let answers: [String]
    /// Number of further records in the answer, which are not kept; absent if there are none.
    package let omittedAnswers: Int?
    /// Whether the response was cut to the client's size, or marked as cut by a fault.
    package let truncated: Bool
    /// `world`, `cache`, `forwarder 192.0.2.53:53`, …
    package let answeredFrom: String
    /// The IPv4 addresses from which the answer was synthesised.
    package let synthesisedFrom: [String]
    /// The sentence that determined the answer, such as `RFC 6147 §5.1.6`.
    package let rule: String
    /// Faults that were injected.
    package let faults: [String]
    /// Why nothing was looked up; absent if there was a look-up.
    package let refusal: String?
    /// Why there is no address in the answer; absent if the rule explains it.
    package let reason: String?

    package init(_ query: QueryRecord) {
        askedFrom = "\(query.client)"
        transport = query.transport.rawValue
        name = query.question?.name.withoutFinalDot
        type = query.question.map { "\($0.type)" }
        `class` = query.question.map { "\($0.recordClass)" }
        flags = query.flags.description.split(separator: " ").map(String.init) + (query.dnssecOK ? ["do"] : [])
        responseCode = query.responseCode?.description
        answers = query.answer.map { "\($0.type) \($0.data)" }
        omittedAnswers = query.omittedAnswers > 0 ? query.omittedAnswers : nil
        truncated = query.isTruncated
        answeredFrom = "\(query.source)"
        synthesisedFrom = query.synthesisedFrom.map(\.description)
        rule = "\(query.rule)"
        faults = query.faults.map(\.description)
        refusal = query.refusal?.explanation
        reason = query.reason?.description
    }
}

/// A query and its time.
struct TimedQueryRecord: Encodable, Sendable {
    /// Seconds since the client was connected.
    let time: Double
    private let query: DNSQueryRecord

    private enum Keys: String, CodingKey {
        case time
    }

    init(_ query: QueryRecord) {
        // Microseconds are precise enough for comparisons; more digits are noise.
        time = ((query.time - .zero) / .microseconds(1)).rounded() / 1_000_000
        self.query = DNSQueryRecord(query)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(time, forKey: .time)
        try query.encode(to: encoder)
    }
}

/// A question and its answer: the first such query, and how often there was one.
struct RepeatedQueryRecord: Encodable, Sendable {
    let count: Int
    private let first: TimedQueryRecord

    private enum Keys: String, CodingKey {
        case count
    }

    init(_ query: QueryRecord, count: Int) {
        self.count = count
        first = TimedQueryRecord(query)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(count, forKey: .count)
        try first.encode(to: encoder)
    }
}
