// SPDX-License-Identifier: Apache-2.0
import Evidence
import Translation
import Wire

extension Rule {
    /// A NAT64 keeps the session of an idle connection for a time, often shorter than RFC 6146 §4 requires, and drops it silently.
    /// IPv4 without a NAT, as dual-stack has it here, has no such sessions.
    package static let keepsForgottenConnection = Rule(
        id: "V6C-059", title: "uses a connection that the NAT64 has forgotten",
        advice:
            "Keep idle connections known: SO_KEEPALIVE with a TCP_KEEPIDLE of some 25 s, or the protocol's own ping (WebSocket, MQTT, HTTP/2). "
            + "Give requests a time-out, and open a new connection where one does not answer.",
        adviceByLanguage: [
            .node: "socket.setKeepAlive(true, 25000), and a time-out after which a request goes on a new connection.",
            .python:
                "setsockopt(IPPROTO_TCP, TCP_KEEPIDLE, 25) beside SO_KEEPALIVE, and a time-out for each request after which it goes on a "
                + "new connection.",
            .go: "net.Dialer.KeepAlive of 25 s (15 s is the default), and a deadline for each request.",
        ],
        networks: .translated, supersedes: ["V6C-003", "V6C-005"]
    ) { examination in
        let run = examination.run
        return run.seen.drops.compactMap { drop -> Observation? in
            guard let flow = run.seen.flows.last(where: { isForgotten($0, drop) }) else { return nil }
            let (called, site) = examination.attempt(of: flow).map { examination.told($0) } ?? ("", nil)
            return Observation(
                run.names.subject(flow),
                "\(run.names.farEnd(flow)) had answered before, and the NAT64 knew the \(word(flow)) no more: \(drop)\(site == nil ? "" : ": " as Statement)\(called).",
                at: site)
        }
    }
}

/// Whether a packet of a flow was dropped because the session did not exist any more.
private func isForgotten(_ flow: Flow, _ drop: Drop) -> Bool {
    guard flow.isAnswered, case .translated(let address) = flow.route else { return false }
    switch drop.reason {
    case .tcpWithoutSession: return flow.transport == .tcp && drop.example.contains(flow.remote.description)
    case .noBinding: return flow.transport == .udp && drop.example.contains(address.description)
    default: return false
    }
}

private func word(_ flow: Flow) -> Statement { flow.transport == .tcp ? "connection" : "way back" }
