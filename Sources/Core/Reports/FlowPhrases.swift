import Evidence

/// A flow in a line.
func phrase(_ flow: Flow, name: String?) -> String {
    var text = "\(name ?? "no name")  \(flow.transport.rawValue)"
    if flow.port != 0 { text += " \(flow.port)" }
    text += "  \(flow.remote)"
    if case .translated(let address) = flow.route { text += " → \(address)" }
    if flow.transport == .tcp {
        text += "  \(flow.accepted) connection\(flow.accepted == 1 ? "" : "s")"
        if flow.accepted == 0 {
            text += " (\(flow.unreachable.map(phrase) ?? (flow.refused > 0 ? "refused" : "no answer")))"
        }
    } else if let cause = flow.unreachable {
        text += "  \(flow.refused) refused (\(phrase(cause)))"
    }
    return text + "  \(octets(flow.bytesSent)) sent, \(octets(flow.bytesReceived)) received"
}
