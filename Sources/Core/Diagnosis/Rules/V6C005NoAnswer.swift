// SPDX-License-Identifier: Apache-2.0
import DNS64
import Evidence
import Wire

extension Rule {
    /// The host answered at none of the addresses at which the client tried it.
    package static let noAnswer = Rule(
        id: "V6C-005", title: "sends to a host that refuses or does not answer",
        advice:
            "Look at the address, the port and the protocol. A host that the simulated world lacks is added by a world file "
            + "(--world FILE).",
        furtherAdvice: { examination in
            let outages = examination.run.outages
            return outages.isEmpty
                ? nil
                : "The network is cut off by its conditions (\(outages.joined(separator: ","))): run it without them."
        },
        isCompared: true, needs: [.flows], isSymptom: true
    ) { examination in
        let (flows, names) = (examination.run.seen.flows, examination.run.names)
        let answered = Set(flows.filter { !isUnanswered($0) }.map(names.subject))
        return flows.filter { isUnanswered($0) && !answered.contains(names.subject($0)) }.map {
            let statement: Statement = "\(names.farEnd($0)) \(outcome($0, in: examination.run))."
            guard let call = examination.attempt(of: $0), call.outcome == .unknown else {
                return Observation(names.subject($0), statement)
            }
            let (waiting, site) = examination.told(call)
            return Observation(names.subject($0), "\(waiting). \(statement)", at: site)
        }
    }
}

/// Whether the host did not answer. It is unknown whether a datagram wants an answer, so datagrams count only if an error came back.
private func isUnanswered(_ flow: Flow) -> Bool {
    switch flow.transport {
    case .tcp: flow.attempts > 0 && flow.accepted == 0
    case .udp, .icmp: flow.refused > 0 && flow.bytesReceived == 0
    }
}

private func outcome(_ flow: Flow, in run: RunEvidence) -> Statement {
    switch flow.unreachable {
    case .noRoute where run.isOfRecord(flow.remote):
        "cannot be reached: the world has a record with this address, and no host"
    case .noRoute: "cannot be reached: there is no route to it"
    case .prohibited: "cannot be reached: a router forbids it"
    case .address: "cannot be reached: no host has this address"
    case .port: "refused the datagram: nothing listens at this port"
    case .other: "cannot be reached"
    case nil where flow.refused > 0: "refused the connection"
    case nil where !run.outages.isEmpty:
        "did not answer: the network is cut off by its conditions (\(text: run.outages.joined(separator: ",")))"
    case nil: "did not answer"
    }
}

extension RunEvidence {
    /// The conditions of the network that let nothing through, for a time or at all, if packets were lost.
    fileprivate var outages: [String] {
        guard let conditions = seen.conditions, conditions.up.lost > 0 else { return [] }
        return conditions.written.flatMap { $0.split(separator: ",").map(String.init) }.filter {
            $0 == "no-uplink" || $0.hasPrefix("down=") || $0.hasPrefix("flap=")
        }
    }

    /// Whether an answer of the world's own DNS has the address.
    fileprivate func isOfRecord(_ address: IPAddress) -> Bool {
        seen.questions.contains { $0.first.source == .world && $0.addresses.contains(address) }
    }
}
