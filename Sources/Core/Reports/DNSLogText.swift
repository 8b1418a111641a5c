// SPDX-License-Identifier: Apache-2.0
package import DNS64
import Evidence
package import Text

/// The DNS log as text: one line per query, in the order of a reader's questions: the client, the question, the answer, its source, its
/// rule, its faults.
///
///     udp [2e00:2:0:1::c0:100]:40000  shop.test AAAA rd do → NOERROR AAAA 64:ff9b::c633:640a  from 198.51.100.10, world, RFC 6147 §5.1.6
package enum DNSLogText {
    /// The line without a time.
    package static func line(_ query: QueryRecord) -> String {
        let record = DNSQueryRecord(query)
        let asked =
            [record.name ?? "?", record.type ?? "?"] + (record.class.map { $0 == "IN" ? [] : [$0] } ?? [])
        var line = "\(record.transport) \(record.askedFrom)  \((asked + record.flags).joined(separator: " ")) → "
        line += record.responseCode ?? "no reply"
        if record.truncated { line += " tc" }
        if !record.answers.isEmpty { line += " " + record.answers.joined(separator: ", ") }
        var reasons: [String] = []
        if !record.synthesisedFrom.isEmpty { reasons.append("from " + record.synthesisedFrom.joined(separator: " ")) }
        if query.source != .none { reasons.append(record.answeredFrom) }
        reasons.append(record.rule)
        if let refusal = record.refusal { reasons.append(refusal) }
        if let reason = record.reason { reasons.append(reason) }
        reasons += record.faults.map { "fault: \($0)" }
        return line + "  " + reasons.joined(separator: ", ")
    }

    /// The line after the time of day in UTC: `2026-11-21T22:31:35.042Z`.
    package static func line(_ query: QueryRecord, at time: TimeStamp) -> String {
        "\(time) " + line(query)
    }
}
