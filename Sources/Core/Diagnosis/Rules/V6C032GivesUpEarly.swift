// SPDX-License-Identifier: Apache-2.0
import Evidence
import Wire

extension Rule {
    /// A client that tries several addresses gives each a short time. With IPv4 and IPv6 side by side, another address makes up for one
    /// that it abandoned too early; here there is none.
    package static let givesUpEarly = Rule(
        id: "V6C-032", title: "gives up a connection before a distant host can answer",
        advice:
            "Give each attempt some seconds. The 250 ms of RFC 8305 §5 say when the next attempt begins beside it; they end none.",
        adviceByLanguage: [
            .node:
                "Raise net.setDefaultAutoSelectFamilyAttemptTimeout(2500), or autoSelectFamilyAttemptTimeout of the connection: after that "
                + "time Node.js ends an attempt, whatever comes.",
            .python:
                "Raise the timeout of socket.create_connection: it is for each address. asyncio's happy_eyeballs_delay ends no attempt.",
            .go: "Raise net.Dialer.Timeout, and leave FallbackDelay: that ends no attempt.",
        ],
        networks: [.nat64], isCompared: true, needs: [.flows], isSymptom: true,
        supersedes: ["V6C-003", "V6C-005", "V6C-016"]
    ) { examination in
        let (run, names) = (examination.run, examination.run.names)
        let used = Set(run.seen.flows.filter { $0.bytesSent + $0.bytesReceived > 0 }.map(names.subject))
        return run.seen.flows.compactMap { flow in
            guard !used.contains(names.subject(flow)), let wait = abandonment(of: flow, in: run) else { return nil }
            let call = examination.attempt(of: flow)
            let (called, site) = call.map { examination.told($0) } ?? ("", nil)
            return Observation(
                names.subject(flow), "\(names.farEnd(flow)) \(wait)\(call == nil ? "" : ": " as Statement)\(called).",
                at: site)
        }
    }
}

/// A description of a connection that the client abandoned before an answer; `nil` if it waited.
private func abandonment(of flow: Flow, in run: RunEvidence) -> Statement? {
    guard flow.transport == .tcp, !flow.isInbound, flow.refused == 0, flow.attempts > 0, let times = flow.times else {
        return nil
    }
    if let answer = times.answer {
        // The answer came when the client's machine had no socket for it any more.
        guard flow.late > 0, flow.late >= flow.accepted else { return nil }
        return "answered after \(answer - times.first), and it had closed the socket by then"
    }
    // A client that waits sends its SYN again after a second (RFC 6298 §2).
    guard run.end.isFailure, run.duration > times.first, run.duration - times.first < patience else { return nil }
    return "had \(run.duration - times.first) to answer, then it gave up"
}

/// Round trips that long exist: by satellite, or across the world and through a busy mobile network.
private let patience = Duration.milliseconds(700)
