/// One query that the DNS had from the client, and what came of it: a line of evidence.
public struct DNSQuery: Codable, Hashable, Sendable {
    /// Since the client was connected.
    public var time: Duration
    /// Address and port of who asked.
    public var client: String
    /// `udp` or `tcp`.
    public var transport: String
    /// Presentation format, without the final dot; nil where the query could not be read as far as that.
    public var name: String?
    /// `A`, `AAAA`, `TYPE65`, …
    public var type: String?
    /// `IN` nearly always.
    public var recordClass: String?
    /// The query's header flags and, of EDNS, `do`, as `dig` shows them: `rd`, `cd`, `ad`, `do`.
    public var flags: [String]
    /// `NOERROR`, `NXDOMAIN`, …; nil where a fault kept the reply back.
    public var responseCode: String?
    /// The records of the answer, each its type and its data: `AAAA 64:ff9b::c633:640a`.
    public var answers: [String]
    /// Whether the response was cut to the client's size.
    public var isTruncated: Bool
    /// Where the answer came from: `world`, `cache`, `forwarder 192.0.2.53:53`, …
    public var source: String
    /// The IPv4 addresses from which the answer was synthesised; empty where it was not.
    public var synthesisedFrom: [String]
    /// The sentence that decided, such as `RFC 6147 §5.1.6`.
    public var rule: String
    /// What was done wrong on purpose.
    public var faults: [String]
    /// Why nothing was looked up, where nothing was.
    public var refusal: String?
    /// Why there is no address in the answer, if the rule alone does not say so.
    public var reason: String?

    public init(
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
public struct DNSQueryLog: Codable, Hashable, Sendable {
    /// In the order in which they came.
    public var queries: [DNSQuery]
    /// Earlier ones that are not kept.
    public var omitted: Int

    /// More of them nobody reads, and a report has an end.
    public static let mostQueries = 4096

    public init(_ queries: [DNSQuery] = [], omitted: Int = 0) {
        self.queries = queries
        self.omitted = omitted
    }
}
