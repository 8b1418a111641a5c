import DNS64
import DNSWire
import Evidence

extension Rule {
    package static let nameHasNoAddress = Rule(
        id: "V6C-007", title: "looks up a name that has no address record",
        advice:
            "Check the name. One that the simulated world lacks is added by a world file (--world FILE).",
        isCompared: true, needs: [.queries]
    ) { examination in
        let questions = examination.run.seen.questions.filter(\.isForAddress)
        // What was done wrong on purpose stands beside the questions, and is no news.
        let settled = Set(questions.filter { !$0.answer.isEmpty || !$0.isFaultless }.map(\.name))
        return questions.filter { !settled.contains($0.name) }.map { query in
            let outcome: Statement =
                switch query.first.responseCode {
                case .noError: "no address record"
                case let code?: "\(code)"
                case nil: "no reply"
                }
            return Observation(.name(query.name), "\(query.name): \(outcome).")
        }
    }
}
