// SPDX-License-Identifier: Apache-2.0
import Suites
import Text
import Wire

/// `GET /healthz from ipv6: connection refused: it listens on 0.0.0.0:8080 alone`
func phrase(_ answer: ProbeAnswer, _ listeners: [Listener]) -> String {
    let port = answer.probe.action.port
    let what =
        switch answer.probe.action {
        case .page(let request): "\(request)"
        case .tcp: "a connection to port \(port)"
        case .command(let words, _): excerpt(words.joined(separator: " "))
        }
    let came =
        switch answer.result {
        case .http(let status, _):
            answer.probe.status.map { $0 != status } ?? (status >= 400)
                ? "status \(status)" + (answer.probe.status.map { " instead of \($0)" } ?? "")
                : "the answer is not as expected"
        case .ledAway(let status, let location, let obstacle):
            "status \(status) to \(printable(location)), \(obstacle.rawValue)"
        case .connected: "connected"
        case .closed: "closed at once"
        case .command(let status, let output):
            status != 0
                ? "exit \(status)" + (output.isEmpty ? "" : ": \(excerpt(output.split(separator: "\n").last ?? ""))")
                : "what it prints is not as expected"
        case .refused: "refused, since it listens \(phrase(listeners.filter { $0.port == port }))"
        case .timedOut: "no answer"
        case .failed(let reason), .unsent(let reason): reason
        }
    return "\(what) from \(answer.origin.rawValue): \(came)"
}

/// `on 0.0.0.0:8080 alone`
func phrase(_ listeners: [Listener]) -> String {
    if listeners.isEmpty { return "nowhere" }
    let places = listeners.map { listener in
        listener.address.description(port: listener.port) + (listener.isIPv6Only ? " (IPv6 only)" : "")
    }
    return "on \(enumerated(places, limit: 4)) alone"
}
