extension Rule {
    public static let nameHasNoAddress = Rule(
        id: "V6C-007", title: "asks for a name that has no address",
        advice: "Check the name, and whether the world file defines it."
    ) { examination in
        let addressQuestions = examination.run.questions.filter { $0.type == "A" || $0.type == "AAAA" }
        let answered = Set(addressQuestions.filter { !$0.answers.isEmpty }.map(\.name))
        return addressQuestions.filter { !answered.contains($0.name) }.map {
            Observation(
                $0.name, "\($0.name): \($0.responseCode == "NOERROR" ? "no address record" : $0.responseCode).")
        }
    }
}
