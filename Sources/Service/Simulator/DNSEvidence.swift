package import DNS64
import DNSWire
package import Evidence
package import Wire

extension [DNSQuestion] {
    /// Sums up the DNS service's log: each different question and answer once, in the order of their first appearance.
    init(_ records: [QueryRecord]) {
        var questions: [DNSQuestion] = []
        var places: [DNSQuestion: Int] = [:]
        for record in records {
            guard let question = DNSQuestion(record) else { continue }
            if let place = places[question] {
                questions[place].count += 1
            } else {
                places[question] = questions.count
                questions.append(question)
            }
        }
        self = questions
    }
}

extension DNSQuestion {
    /// Nil where the query could not be read as far as its question.
    fileprivate init?(_ record: QueryRecord) {
        guard let question = record.question else { return nil }
        // Of an address query, the addresses are the answer, and the aliases on the way are not.
        let wanted = record.answer.filter { $0.type == question.type }
        self.init(
            name: question.name.withoutFinalDot, type: "\(question.type)", transport: record.transport.rawValue,
            responseCode: record.isReplied ? "\(record.responseCode)" : "none",
            answers: record.isReplied ? (wanted.isEmpty ? record.answer : wanted).map(\.data.description) : [],
            source: "\(record.source)", synthesisedFrom: record.synthesisedFrom.map(\.description),
            rule: "\(record.rule)", reason: record.reason?.description, faults: record.faults.map(\.description))
    }
}

extension DNSQuery {
    /// - Parameter start: what the time is counted from.
    package init(_ record: QueryRecord, since start: Instant) {
        self.init(
            time: record.time - start, client: "\(record.client)", transport: record.transport.rawValue,
            name: record.question?.name.withoutFinalDot, type: record.question.map { "\($0.type)" },
            recordClass: record.question.map { "\($0.recordClass)" },
            flags: record.flags.description.split(separator: " ").map(String.init) + (record.dnssecOK ? ["do"] : []),
            responseCode: record.isReplied ? "\(record.responseCode)" : nil,
            answers: record.answer.map { "\($0.type) \($0.data)" }, isTruncated: record.isTruncated,
            source: "\(record.source)", synthesisedFrom: record.synthesisedFrom.map(\.description),
            rule: "\(record.rule)", faults: record.faults.map(\.description), refusal: record.refusal?.explanation,
            reason: record.reason?.description)
    }
}

extension QueryRecord {
    /// A fault keeps the reply back, or nothing does.
    fileprivate var isReplied: Bool { !faults.contains(.drop) }
}

extension DomainName {
    fileprivate var withoutFinalDot: String { isRoot ? "." : String(description.dropLast()) }
}
