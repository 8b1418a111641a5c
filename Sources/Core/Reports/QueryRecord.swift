import Evidence

struct QueryRecord: Encodable, Sendable {
    /// Seconds since the client was connected.
    let time: Double
    let client: String
    let transport: String
    /// Absent, like type and class, where the query could not be read so far.
    let name: String?
    let type: String?
    let `class`: String?
    let flags: [String]
    /// Absent where a fault kept the reply back.
    let responseCode: String?
    let answers: [String]
    let truncated: Bool
    let source: String
    let synthesisedFrom: [String]
    let rule: String
    let faults: [String]
    /// Absent where the query was looked up.
    let refusal: String?
    /// Why there is no address in the answer; absent if the rule says enough.
    let reason: String?

    init(_ query: DNSQuery) {
        // Microseconds are what one can compare; more digits are noise.
        time = (query.time / .microseconds(1)).rounded() / 1_000_000
        client = query.client
        transport = query.transport
        name = query.name
        type = query.type
        `class` = query.recordClass
        flags = query.flags
        responseCode = query.responseCode
        answers = query.answers
        truncated = query.isTruncated
        source = query.source
        synthesisedFrom = query.synthesisedFrom
        rule = query.rule
        faults = query.faults
        refusal = query.refusal
        reason = query.reason
    }
}
