// SPDX-License-Identifier: Apache-2.0
import Evidence
import Wire

extension Rule {
    /// Networks block UDP, and paths lose datagrams of the size of QUIC's first ones; TCP gets through in both cases.
    package static let leavesQUICUnanswered = Rule(
        id: "V6C-055", title: "gets no answer to QUIC and does not fall back to TCP",
        advice:
            "Race a TCP connection against QUIC, or begin one some hundred milliseconds later (RFC 9308 §2), and keep the first datagrams "
            + "at 1,200 octets: these pass wherever IPv6 does.",
        networks: [.nat64], needs: [.flows], supersedes: ["V6C-005", "V6C-054"]
    ) { examination in
        let (run, names) = (examination.run, examination.run.names)
        let answeredThere = Set(
            (examination.control?.seen.flows ?? []).filter { $0.bytesReceived > 0 }.map(subjects(examination.control)))
        return run.seen.flows.compactMap { flow in
            guard isQUIC(flow), flow.bytesReceived == 0,
                examination.control == nil || answeredThere.contains(names.subject(flow)),
                !run.seen.flows.contains(where: { $0.transport == .tcp && $0.remote == flow.remote })
            else { return nil }
            let call = examination.traced.attempts.first { $0.address?.ip == flow.remote }
            let (called, site) = call.map { examination.told($0) } ?? ("", nil)
            return Observation(
                "\(names.farEnd(flow)) did not answer \(Int(clamping: flow.bytesSent), "octet"), and it did not try TCP there"
                    + "\(call == nil ? "" : ": " as Statement)\(called).", at: site,
                about: Target(names.subject(flow)))
        }
    }
}

private func subjects(_ run: RunEvidence?) -> (Flow) -> Observation.Subject {
    let names = run?.names ?? KnownNames([])
    return { names.subject($0) }
}

/// An Initial fills a datagram of 1,200 octets at least (RFC 9000 §14.1).
private func isQUIC(_ flow: Flow) -> Bool {
    flow.transport == .udp && !flow.isInbound && [443, 4433, 8443].contains(flow.port) && flow.bytesSent >= 1200
}
