extension Rule {
    public static let noAnswer = Rule(
        id: "V6C-005", title: "connects, and nobody answers",
        advice: "Look at the port and the protocol: the far end did not accept."
    ) { examination in
        let run = examination.run
        return run.flows.filter { $0.transport == .tcp && $0.attempts > 0 && $0.accepted == 0 }.map { flow in
            let whose = run.name(of: flow).map { "\($0), " } ?? ""
            return Observation(
                "\(whose)\(flow.remote) (\(endpoint(flow))) "
                    + (flow.refused > 0 ? "refused the connection." : "did not answer."))
        }
    }
}
