// SPDX-License-Identifier: Apache-2.0
import Evidence
import Wire

// The log's entries as evidence.

extension FlowLog {
    /// The flows in the order of their first packet.
    var flows: [Flow] {
        entries.indices.map { place in
            let entry = entries[place]
            var flow = Flow(
                transport: entry.key.transport, remote: entry.key.remoteAddress, port: entry.key.port,
                route: entry.translatedTo.map(Flow.Route.translated) ?? .direct)
            (flow.attempts, flow.accepted, flow.refused) = (entry.attempts, entry.accepted, entry.refused)
            (flow.unreachable, flow.isInbound) = (entry.unreachable, entry.isInbound)
            flow.late = entry.late
            flow.times = FlowTimes(
                first: entry.first - start, answer: entry.answer.map { $0 - start }, last: entry.last - start,
                end: entry.end.map { $0 - start })
            flow.hellos = hellos(at: place)
            (flow.bytesSent, flow.bytesReceived) = (entry.sent, entry.received)
            return flow
        }
    }
}
