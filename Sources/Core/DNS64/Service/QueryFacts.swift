// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Wire

/// The facts about a query, except its time and client.
struct QueryFacts: Codable, Hashable, Sendable {
    var transport: Transport
    /// `nil` if the question could not be read.
    var question: Question?
    /// The query's flags.
    var flags: MessageFlags = []
    /// DO
    var dnssecOK = false
    /// `nil` if a fault dropped the reply.
    var responseCode: ResponseCode?
    /// The answer section; empty if there was no reply.
    var answer: [ResourceRecord] = []
    /// Number of further records of the answer, which are not kept.
    var omittedAnswers = 0
    var source: Answer.Source
    /// The IPv4 addresses from which the answer was synthesised; empty if it was not.
    var synthesisedFrom: [IPv4Address] = []
    var rule: AnswerRule
    /// The faults that affected the reply.
    var faults: [Fault.Effect] = []
    /// The reason why nothing was looked up, if nothing was.
    var refusal: RefusedQuery?
    /// Whether the response was truncated to the client's size.
    var isTruncated = false
    /// The reason why the answer has no address, if the rule alone does not show it.
    var reason: NoAnswerReason?

    /// Limits for the records of an answer that are kept, and for the octets of their names and data together: more would add no
    /// information, and a log has many answers.
    static let answerLimit = 128
    private static let answerOctetLimit = 8192

    init(
        transport: Transport, question: Question?, responseCode: ResponseCode?, source: Answer.Source, rule: AnswerRule
    ) {
        self.transport = transport
        self.question = question
        self.responseCode = responseCode
        self.source = source
        self.rule = rule
    }

    /// The facts that every query has.
    init(_ query: Message, _ arrival: Arrival, responseCode: ResponseCode) {
        self.init(
            transport: arrival.transport, question: query.questions.first, responseCode: responseCode, source: .none,
            rule: .form)
        flags = query.flags
        dnssecOK = query.edns?.dnssecOK ?? false
    }

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
    /// Octets of its name and data, uncompressed.
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

extension QueryFacts {
    enum Aging {
        /// The records are our own, and their TTLs stay.
        case never
        case countsDown
    }

    /// How a reply with this evidence ages when it is repeated; `nil` if it must not be.
    var aging: Aging? {
        guard refusal == nil, responseCode == .noError || responseCode == .nameError else { return nil }
        switch source {
        case .world, .specialUse, .ownZone: return .never
        case .cache: return .countsDown
        case .forwarder, .validator, .none: return nil
        }
    }
}
