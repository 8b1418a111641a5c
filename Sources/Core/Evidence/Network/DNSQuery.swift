/// One query that the DNS had from the client, and what came of it: a line of evidence.
package struct DNSQuery: Codable, Hashable, Sendable {
    /// Since the client was connected.
    package var time: Duration
    /// Address and port of who asked.
    package var client: String
    /// `udp` or `tcp`.
    package var transport: String
    /// Presentation format, without the final dot; nil where the query could not be read as far as that.
    package var name: String?
    /// `A`, `AAAA`, `TYPE65`, …
    package var type: String?
    /// `IN` nearly always.
    package var recordClass: String?
    /// The query's header flags and, of EDNS, `do`, as `dig` shows them: `rd`, `cd`, `ad`, `do`.
    package var flags: [String]
    /// `NOERROR`, `NXDOMAIN`, …; nil where a fault kept the reply back.
    package var responseCode: String?
    /// The records of the answer, each its type and its data: `AAAA 64:ff9b::c633:640a`.
    package var answers: [String]
    /// Whether the response was cut to the client's size.
    package var isTruncated: Bool
    /// Where the answer came from: `world`, `cache`, `forwarder 192.0.2.53:53`, …
    package var source: String
    /// The IPv4 addresses from which the answer was synthesised; empty where it was not.
    package var synthesisedFrom: [String]
    /// The sentence that decided, such as `RFC 6147 §5.1.6`.
    package var rule: String
    /// What was done wrong on purpose.
    package var faults: [String]
    /// Why nothing was looked up, where nothing was.
    package var refusal: String?
    /// Why there is no address in the answer, if the rule alone does not say so.
    package var reason: String?

    package init(
        time: Duration, client: String, transport: String, name: String?, type: String?, recordClass: String? = "IN",
        flags: [String] = ["rd"], responseCode: String?, answers: [String] = [], isTruncated: Bool = false,
        source: String, synthesisedFrom: [String] = [], rule: String, faults: [String] = [], refusal: String? = nil,
        reason: String? = nil
    ) {
        self.time = time
        self.client = client
        self.transport = transport
        self.name = name
        self.type = type
        self.recordClass = recordClass
        self.flags = flags
        self.responseCode = responseCode
        self.answers = answers
        self.isTruncated = isTruncated
        self.source = source
        self.synthesisedFrom = synthesisedFrom
        self.rule = rule
        self.faults = faults
        self.refusal = refusal
        self.reason = reason
    }
}

/// The queries of a run, one by one: the latest of them, where there were very many.
package struct DNSQueryLog: Codable, Hashable, Sendable {
    /// In the order in which they came.
    package var queries: [DNSQuery]
    /// Earlier ones that are not kept.
    package var omitted: Int

    /// More of them nobody reads, and a report has an end.
    package static let mostQueries = 4096

    package init(_ queries: [DNSQuery] = [], omitted: Int = 0) {
        self.queries = queries
        self.omitted = omitted
    }
}
