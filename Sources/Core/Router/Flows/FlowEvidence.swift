import Evidence

// The log's entries as evidence.

extension FlowLog {
    /// The flows in the order of their first packet.
    var flows: [Flow] {
        table.filter { $0.order != 0 }.sorted { $0.order < $1.order }.map { entry in
            Flow(
                transport: entry.key.transport, remote: entry.key.remoteAddress, port: entry.key.port,
                route: entry.translatedTo.map(Flow.Route.translated) ?? .direct, attempts: entry.attempts,
                accepted: entry.accepted, refused: entry.refused, unreachable: entry.unreachable,
                isInbound: entry.isInbound, bytesSent: entry.sent, bytesReceived: entry.received)
        }
    }
}
