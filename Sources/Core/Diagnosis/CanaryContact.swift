// SPDX-License-Identifier: Apache-2.0
import DNSWire
package import Evidence
package import Topology
package import Wire

/// What a client had to do with a private place that it was to keep away from.
package struct CanaryContact: Hashable, Sendable {
    /// `nil` where the address only looks like a way to one.
    package var canary: Canary?
    /// Where the client went.
    package var address: IPAddress
    /// Octets that it got from there; `nil` where it is the client's own machine, or behind a proxy.
    package var received: UInt64?
    /// Whether it got anything. Who looks at the address of a connection that stands, and closes it, has said and heard nothing.
    package var isHit: Bool
    package var isProxied = false
}

extension RunEvidence {
    /// The private places to which a client went in a world of canaries; none in another world.
    package var canaryContacts: [CanaryContact] {
        guard let trial = canary else { return [] }
        var contacts = seen.flows.compactMap { flow -> CanaryContact? in
            if flow.isInbound { return nil }
            let canary = Canary(at: flow.ipv4Destination.map(IPAddress.ipv4) ?? flow.remote)
            guard canary != nil || flow.remote == trial.deadEnd else { return nil }
            return CanaryContact(
                canary: canary, address: flow.remote, received: flow.bytesReceived, isHit: flow.bytesReceived > 0)
        }
        if loopbackRequests > 0 {
            contacts.append(CanaryContact(canary: .loopback, address: Canary.loopback.address, isHit: true))
        }
        for request in seen.connections.compactMap(\.proxied) where request.result == .connected {
            let host = request.host.lowercased()
            guard let canary = Canary.allCases.first(where: { $0.name == host || "\($0.address)" == host }) else {
                continue
            }
            contacts.append(CanaryContact(canary: canary, address: canary.address, isHit: true, isProxied: true))
        }
        return contacts.sorted { $0.isHit && !$1.isHit }
    }
}
