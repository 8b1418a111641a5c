import Evidence

extension Rule {
    /// What the client sent to a host was not answered, at any of the addresses at which it tried.
    package static let noAnswer = Rule(
        id: "V6C-005", title: "sends to a host that refuses or does not answer",
        advice:
            "Look at the address, the port and the protocol. A host that the simulated world lacks is added by a world file "
            + "(--world FILE).",
        isCompared: true, needs: [.flows], isSymptom: true
    ) { examination in
        let (flows, names) = (examination.run.seen.flows, examination.run.names)
        let answered = Set(flows.filter { !isUnanswered($0) }.map(names.subject))
        return flows.filter { isUnanswered($0) && !answered.contains(names.subject($0)) }.map {
            Observation(names.subject($0), "\(names.farEnd($0)) \(outcome($0)).")
        }
    }
}

/// Of datagrams it is unknown whether they want an answer, unless an error came back.
private func isUnanswered(_ flow: Flow) -> Bool {
    switch flow.transport {
    case .tcp: flow.attempts > 0 && flow.accepted == 0
    case .udp, .icmp: flow.refused > 0 && flow.bytesReceived == 0
    }
}

private func outcome(_ flow: Flow) -> Statement {
    switch flow.unreachable {
    case .noRoute: "cannot be reached: there is no route to it"
    case .prohibited: "cannot be reached: a router forbids it"
    case .address: "cannot be reached: no host has this address"
    case .port: "refused the datagram: nothing listens at this port"
    case .other: "cannot be reached"
    case nil: flow.refused > 0 ? "refused the connection" : "did not answer"
    }
}
