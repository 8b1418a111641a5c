package import DNSWire
package import Wire

/// What is known of one query that was answered, or dropped by a fault: a line of evidence, the same from here to the reports.
package struct QueryRecord: Codable, Hashable, Sendable {
    /// When it came. In the evidence of a client, counted from when the client was connected.
    package var time: Instant
    package var client: Endpoint
    package var transport: Transport
    /// `nil` if the query could not be read as far as that.
    package var question: Question?
    /// The query's flags.
    package var flags: MessageFlags = []
    /// DO
    package var dnssecOK = false
    /// `nil` if a fault kept the reply back.
    package var responseCode: ResponseCode?
    /// The answer section; empty where there was no reply.
    package var answer: [ResourceRecord] = []
    /// Further records of the answer, which are not kept.
    package var omittedAnswers = 0
    package var source: Answer.Source
    /// The IPv4 addresses that the answer was synthesised from; empty where it was not.
    package var synthesisedFrom: [IPv4Address] = []
    package var rule: Rule
    /// What was done wrong on purpose.
    package var faults: [Fault.Effect] = []
    /// Why nothing was looked up, where nothing was.
    package var refusal: RefusedQuery?
    /// Whether the response was cut to the client's size.
    package var isTruncated = false
    /// Why there is no address in the answer, if the rule alone does not say so.
    package var reason: NoAnswerReason?

    /// Records of an answer that are kept, and the octets of their names and data together: more of them tell no more, and a log
    /// has many answers.
    package static let answerLimit = 128
    package static let answerOctetLimit = 8192

    package init(
        time: Instant, client: Endpoint, transport: Transport, question: Question?, responseCode: ResponseCode?,
        source: Answer.Source, rule: Rule
    ) {
        self.time = time
        self.client = client
        self.transport = transport
        self.question = question
        self.responseCode = responseCode
        self.source = source
        self.rule = rule
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

extension QueryRecord {
    /// The part that every query has.
    init(_ query: Message, _ arrival: Arrival, responseCode: ResponseCode) {
        self.init(
            time: arrival.time, client: arrival.client, transport: arrival.transport, question: query.questions.first,
            responseCode: responseCode, source: .none, rule: .form)
        flags = query.flags
        dnssecOK = query.edns?.dnssecOK ?? false
    }
}

extension QueryRecord {
    mutating func keep(answer records: [ResourceRecord]) {
        var octets = 0
        let kept = records.prefix(Self.answerLimit).prefix { record in
            octets += record.octets
            return octets <= Self.answerOctetLimit
        }
        omittedAnswers = records.count - kept.count
        answer = omittedAnswers > 0 ? Array(kept) : records
    }
}

extension ResourceRecord {
    /// Of its name and its data, uncompressed.
    var octets: Int {
        let data =
            switch data {
            case .a: 4
            case .aaaa: 16
            case .ns(let name), .cname(let name), .ptr(let name), .dname(let name), .mx(_, let name): name.wire.count
            case .soa(let soa): soa.primary.wire.count + soa.mailbox.wire.count
            case .other(_, let octets): octets.count
            }
        return name.wire.count + data
    }
}

extension QueryRecord {
    enum Aging {
        /// The records are ours, and their TTLs stay.
        case never
        case countsDown
    }

    /// How a reply with this evidence ages when it is given again, and `nil` if it must not be.
    var aging: Aging? {
        guard refusal == nil, responseCode == .noError || responseCode == .nameError else { return nil }
        switch source {
        case .world, .specialUse, .ownZone: return .never
        case .cache: return .countsDown
        case .forwarder, .validator, .none: return nil
        }
    }
}
