package import Evidence
package import Text

/// The DNS log as text: a line a query, in the order in which one asks: who, what, the answer, whence, why, what was wrong.
///
///     udp [2001:2:0:aab1::100]:40000  shop.test AAAA rd do → NOERROR AAAA 64:ff9b::c633:640a  from 198.51.100.10, world, RFC 6147 §5.1.6
package enum DNSLogText {
    /// The line without a time in front.
    package static func line(_ query: DNSQuery) -> String {
        let asked = [query.name ?? "?", query.type ?? "?"] + (query.recordClass.map { $0 == "IN" ? [] : [$0] } ?? [])
        var line = "\(query.transport) \(query.client)  \((asked + query.flags).joined(separator: " ")) → "
        line += query.responseCode ?? "no reply"
        if query.isTruncated { line += " tc" }
        if query.responseCode != nil, !query.answers.isEmpty { line += " " + query.answers.joined(separator: ", ") }
        var reasons: [String] = []
        if !query.synthesisedFrom.isEmpty { reasons.append("from " + query.synthesisedFrom.joined(separator: " ")) }
        if query.source != "none" { reasons.append(query.source) }
        reasons.append(query.rule)
        if let refusal = query.refusal { reasons.append(refusal) }
        if let reason = query.reason { reasons.append(reason) }
        reasons += query.faults.map { "fault: \($0)" }
        return line + "  " + reasons.joined(separator: ", ")
    }

    /// The line with the time of day in front, in UTC: `2026-11-21T22:31:35.042Z`.
    package static func line(_ query: DNSQuery, at time: TimeStamp) -> String {
        "\(time) " + line(query)
    }
}
