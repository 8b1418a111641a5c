// SPDX-License-Identifier: Apache-2.0
package import DNS64
package import DNSWire
package import Evidence
package import Wire

extension IPAddress: ExpressibleByStringLiteral {
    package init(stringLiteral text: String) {
        self.init(text)!
    }
}

extension DomainName: ExpressibleByStringLiteral {
    package init(stringLiteral text: String) {
        try! self.init(text)
    }
}

extension QueryRecord {
    /// A query as the DNS64 logs it.
    /// - Parameter answers: data of records in presentation format, of another type behind that: `CNAME shop.test.`
    package init(
        _ name: DomainName?, _ type: RecordType = .aaaa, _ answers: [String] = [], code: ResponseCode? = .noError,
        at time: Duration = .zero, over transport: Transport = .udp, recordClass: RecordClass = .internet,
        flags: MessageFlags = [.recursionDesired], source: Answer.Source = .world, from addresses: [IPv4Address] = [],
        rule: AnswerRule = .noAAAA, faults: [Fault.Effect] = [], reason: NoAnswerReason? = nil
    ) {
        self.init(
            time: .zero + time, client: Endpoint("2e00:2:0:1::c0:100", port: 40000), transport: transport,
            question: name.map { Question(name: $0, type: type, recordClass: recordClass) }, responseCode: code,
            source: source, rule: rule)
        self.flags = flags
        answer = answers.map { text in
            let words = text.split(separator: " ", maxSplits: 1)
            let given = words.count == 2 ? RecordType(words[0]) : nil
            let data = try! RecordData(type: given ?? type, presentation: given == nil ? text : String(words[1]))
            return ResourceRecord(name: name ?? .root, ttl: 60, data: data)
        }
        synthesisedFrom = addresses
        self.faults = faults
        self.reason = reason
    }
}

extension RepeatedQuery {
    /// A question and its answer, as often as it was asked.
    package init(
        _ name: DomainName, _ type: RecordType = .aaaa, _ answers: [String] = [], code: ResponseCode? = .noError,
        over transport: Transport = .udp, source: Answer.Source = .world, from addresses: [IPv4Address] = [],
        rule: AnswerRule = .noAAAA, faults: [Fault.Effect] = [], reason: NoAnswerReason? = nil, count: Int = 1
    ) {
        self.init(
            QueryRecord(
                name, type, answers, code: code, over: transport, source: source, from: addresses, rule: rule,
                faults: faults, reason: reason), count: count)!
    }
}
