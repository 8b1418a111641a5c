// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Evidence
import Wire

extension Rule {
    /// The network did all that it does on dual-stack. The client mishandles the address internally: it keeps four octets, compares the
    /// address with a list, or writes it into a field that is too short.
    package static let endsAfterConnection = Rule(
        id: "V6C-094", title: "reaches the hosts of dual-stack, and ends with an error afterwards",
        advice:
            "Look at what it does with the host's address, or its own (getsockname), at that line or after it: kept in four octets or in "
            + "15 characters, compared with a list, split at the dots or at a colon, printed into a URL or a log.",
        networks: .ipv6Only, needs: [.queries, .flows], isSymptom: true, isLastResort: true, supersedes: ["V6C-100"]
    ) { examination in
        guard let control = examination.control, control.end.isSuccess, examination.run.end.isOwnDoing,
            !examination.run.isHindered, !control.isHindered, examination.hostsReached(inAlone: control).isEmpty
        else { return [] }
        let names = examination.run.names
        let reached = examination.run.seen.flows.filter { flow in
            !flow.isInbound && (flow.transport == .tcp ? flow.accepted > 0 : flow.bytesReceived > 0 && flow.port != 53)
        }
        guard let last = reached.last,
            reached.allSatisfy({ $0.bytesReceived > 0 || $0.differsWithoutAnswer(under: names, from: control) })
        else { return [] }
        let statement: Statement = "It reached \(names.farEnd(last)) as on dual-stack, and ended with an error"
        let target = names[last].map(Target.name)
        if let error = examination.ownError {
            return [Observation("\(statement). \(examination.told(error))", at: error.site, about: target)]
        }
        let calls = examination.traced.own.filter { $0.isAttempt && $0.site(in: examination.traced).line != nil }
        let words = examination.toldWords
        guard let call = calls.last else { return [Observation("\(statement).\(words)", about: target)] }
        let site = call.site(in: examination.traced)
        return [Observation("\(statement) after \(call, at: site).\(words)", at: site, about: target)]
    }
}

extension Flow {
    /// Whether nothing was sent to the client over this connection for another reason than a mute host: the client itself sent nothing, while
    /// it did on dual-stack, or got no answer there, too.
    fileprivate func differsWithoutAnswer(under names: KnownNames, from control: RunEvidence) -> Bool {
        guard bytesSent == 0, let name = names[self] else { return false }
        return control.seen.flows.contains {
            $0.transport == transport && $0.port == port && control.names[$0] == name
                && ($0.bytesSent > 0 || $0.bytesReceived == 0)
        }
    }
}
