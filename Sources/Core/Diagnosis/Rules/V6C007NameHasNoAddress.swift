import Evidence

extension Rule {
    package static let nameHasNoAddress = Rule(
        id: "V6C-007", title: "asks for a name that has no address",
        advice:
            "Check the name. One that the simulated world lacks is added by a world file (--world FILE).",
        isCompared: true
    ) { examination in
        let questions = examination.run.questions.filter(\.isForAddress)
        // What was done wrong on purpose stands beside the questions, and is no news.
        let settled = Set(questions.filter { !$0.answers.isEmpty || !$0.faults.isEmpty }.map(\.name))
        return questions.filter { !settled.contains($0.name) }.map {
            Observation(
                $0.name, "\($0.name): \($0.responseCode == "NOERROR" ? "no address record" : $0.responseCode).")
        }
    }
}
