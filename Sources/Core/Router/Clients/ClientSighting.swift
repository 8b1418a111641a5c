// SPDX-License-Identifier: Apache-2.0
package import Evidence
import Topology
package import Translation
package import Wire

/// One client of a network that is not ours, as a router has seen it.
package struct ClientSighting: Sendable {
    package let address: IPv6Address
    package let first: Instant
    /// Time of the last packet that the client sent.
    package let last: Instant
    package let sent: LinkTraffic.Direction
    package let received: LinkTraffic.Direction
    package let flows: [Flow]
    /// Packets whose flow is missing, because the flow log was full.
    package let lostFlows: Int
    package let drops: [Drop]
}

extension ClientSighting {
    init(_ entry: ClientTable.Records.Entry) {
        address = entry.address
        first = entry.first
        last = entry.last
        sent = entry.record.sent
        received = entry.record.received
        flows = entry.record.flows.flows
        lostFlows = entry.record.flows.lost
        drops = entry.record.drops?.entries ?? []
    }
}

extension Router {
    /// The clients of a network that is not ours, in the order of their addresses.
    package var clients: [ClientSighting] {
        (links.clients?.records.entries ?? []).map(ClientSighting.init).sorted { $0.address < $1.address }
    }

    /// Number of clients that were forgotten to make room for others.
    package var forgottenClients: Int { links.clients?.records.forgotten ?? 0 }
}
