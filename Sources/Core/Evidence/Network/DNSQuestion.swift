/// One question that the client asked the DNS, and what it was told.
package struct DNSQuestion: Codable, Hashable, Sendable {
    /// Presentation format, without the final dot.
    package var name: String
    /// `A`, `AAAA`, `TYPE65`, …
    package var type: String
    /// `udp` or `tcp`.
    package var transport: String
    /// `NOERROR`, `NXDOMAIN`, …; `none` where a fault kept the reply back.
    package var responseCode: String
    /// Addresses and other data of the answer, each in presentation format.
    package var answers: [String]
    /// Where the answer came from: `world`, `cache`, `forwarder 192.0.2.53:53`, …
    package var source: String
    /// The IPv4 addresses from which the answer was synthesised; empty where it was not.
    package var synthesisedFrom: [String]
    /// The sentence that decided, such as `RFC 6147 §5.1.6`.
    package var rule: String
    /// Why there is no address in the answer, if the rule alone does not say so.
    package var reason: String?
    /// What was done wrong on purpose.
    package var faults: [String]
    /// How often the same question was answered the same way.
    package var count: Int

    package init(
        name: String, type: String, transport: String, responseCode: String, answers: [String],
        source: String, synthesisedFrom: [String], rule: String, reason: String? = nil, faults: [String] = [],
        count: Int = 1
    ) {
        self.name = name
        self.type = type
        self.transport = transport
        self.responseCode = responseCode
        self.answers = answers
        self.source = source
        self.synthesisedFrom = synthesisedFrom
        self.rule = rule
        self.reason = reason
        self.faults = faults
        self.count = count
    }
}
