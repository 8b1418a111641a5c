// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Wire

/// What is known of a query beside when it came and who asked.
struct QueryFacts: Codable, Hashable, Sendable {
    var transport: Transport
    /// `nil` if the query could not be read as far as that.
    var question: Question?
    /// The query's flags.
    var flags: MessageFlags = []
    /// DO
    var dnssecOK = false
    /// `nil` if a fault kept the reply back.
    var responseCode: ResponseCode?
    /// The answer section; empty where there was no reply.
    var answer: [ResourceRecord] = []
    /// Further records of the answer, which are not kept.
    var omittedAnswers = 0
    var source: Answer.Source
    /// The IPv4 addresses that the answer was synthesised from; empty where it was not.
    var synthesisedFrom: [IPv4Address] = []
    var rule: AnswerRule
    /// What was done wrong on purpose.
    var faults: [Fault.Effect] = []
    /// Why nothing was looked up, where nothing was.
    var refusal: RefusedQuery?
    /// Whether the response was cut to the client's size.
    var isTruncated = false
    /// Why there is no address in the answer, if the rule alone does not say so.
    var reason: NoAnswerReason?

    /// Records of an answer that are kept, and the octets of their names and data together: more of them tell no more, and a log
    /// has many answers.
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

    /// The part that every query has.
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

extension QueryFacts {
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
