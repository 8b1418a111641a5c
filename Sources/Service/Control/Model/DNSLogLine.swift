package import FoundationEssentials

/// A query that the DNS64 answered, or dropped by a fault.
package struct DNSLogLine: Codable, Hashable, Sendable {
    /// Counts up by one from 1 with each query that the daemon sees.
    package var number: UInt64
    package var time: Date
    /// The client that asked, where it is still known.
    package var client: UInt64?
    /// The address and port that asked.
    package var source: String
    /// `udp` or `tcp`.
    package var transport: String
    /// Nil where the query could not be read as far as that.
    package var name: String?
    package var type: String?
    package var responseCode: String
    /// The data of the answer's records in presentation format.
    package var answers: [String]
    /// `world`, `cache`, `forwarder`, …
    package var answeredFrom: String
    /// The IPv4 addresses that the answer was synthesised from.
    package var synthesisedFrom: [String]
    /// What decided: `RFC 6147 §5.1.4`.
    package var rule: String
    /// What was done wrong on purpose.
    package var faults: [String]
    /// All of it in a line, as `nat64sim dns-log` prints it behind number and time.
    package var text: String

    package init(
        number: UInt64, time: Date, client: UInt64?, source: String, transport: String, name: String?, type: String?,
        responseCode: String, answers: [String], answeredFrom: String, synthesisedFrom: [String], rule: String,
        faults: [String], text: String
    ) {
        self.number = number
        self.time = time
        self.client = client
        self.source = source
        self.transport = transport
        self.name = name
        self.type = type
        self.responseCode = responseCode
        self.answers = answers
        self.answeredFrom = answeredFrom
        self.synthesisedFrom = synthesisedFrom
        self.rule = rule
        self.faults = faults
        self.text = text
    }
}

/// A stretch of the log.
package struct DNSLog: Codable, Hashable, Sendable {
    /// Oldest first.
    package var items: [DNSLogLine]
    /// The number of the first line that is not among `items`: what to ask for next.
    package var next: UInt64
    /// Lines that were asked for and had already made room for later ones.
    package var lost: UInt64

    package init(_ items: [DNSLogLine], next: UInt64, lost: UInt64) {
        self.items = items
        self.next = next
        self.lost = lost
    }
}
