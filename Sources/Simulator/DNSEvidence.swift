import DNS64
import DNSWire
import Findings
import Wire

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
        let name = "\(question.name)"
        // Of an address query, the addresses are the answer, and the aliases on the way are not.
        let wanted = record.answer.filter { $0.type == question.type }
        self.init(
            name: name.count > 1 && name.hasSuffix(".") ? String(name.dropLast()) : name, type: "\(question.type)",
            transport: record.transport.rawValue, responseCode: "\(record.responseCode)",
            answers: (wanted.isEmpty ? record.answer : wanted).map(\.data.description),
            synthesisedFrom: record.synthesisedFrom.map(\.description), rule: "\(record.rule)")
    }
}
