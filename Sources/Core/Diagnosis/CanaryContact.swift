// SPDX-License-Identifier: Apache-2.0
import DNSWire
package import Evidence
package import Topology
package import Wire

/// A connection attempt or request of a client to a private destination that it should have refused.
package struct CanaryContact: Hashable, Sendable {
    /// The trial that led the client there.
    package var trial: CanaryTrial
    /// `nil` if the client went to the trial's dead end, an address at which no canary answers.
    package var canary: Canary?
    /// The address that the client went to. If that is not known, the canary's own: for requests of a server that was given many URLs,
    /// behind a proxy, and for requests on the loopback (always 127.0.0.1).
    package var address: IPAddress
    /// Octets that the client received from there; `nil` if the contact is known from a request only.
    package var received: UInt64?
    /// Whether the client reached it: it received data, its request arrived, or a proxy connected for it. False for a client that checks
    /// the address of an established connection and closes it, as it has exchanged no data.
    package var isHit: Bool
    /// Whether the client reached it through a proxy.
    package var isProxied = false

    /// `http://[64:ff9b::a9fe:a9fe]/wkp.metadata leads it to the metadata service of a cloud`
    package var sentence: String {
        "\(trial.url) leads it \(isHit ? "to" : "towards") \(canary?.description ?? "a private address")"
    }
}

extension RunEvidence {
    /// A client's contacts in a world of canaries, those with `isHit` before the others. Empty in another world.
    package var canaryContacts: [CanaryContact] {
        let contacts = canaries.count == 1 ? contacts(by: canaries[0]) : canaries.flatMap(requests)
        return contacts.filter(\.isHit) + contacts.filter { !$0.isHit }
    }

    /// The contacts of a client that was given one URL, which accounts for everything that it did.
    private func contacts(by trial: CanaryTrial) -> [CanaryContact] {
        var contacts = seen.flows.compactMap { flow -> CanaryContact? in
            if flow.isInbound { return nil }
            let canary = Canary(at: flow.host)
            guard canary != nil || flow.remote == trial.deadEnd else { return nil }
            return CanaryContact(
                trial: trial, canary: canary, address: flow.remote, received: flow.bytesReceived,
                isHit: flow.bytesReceived > 0)
        }
        if !loopbackRequests.isEmpty { contacts.append(loopback(by: trial)) }
        for request in seen.connections.compactMap(\.proxied) where request.result == .connected {
            let host = request.host.lowercased()
            guard let canary = Canary.allCases.first(where: { $0.name == host || "\($0.address)" == host }) else {
                continue
            }
            contacts.append(
                CanaryContact(trial: trial, canary: canary, address: canary.address, isHit: true, isProxied: true))
        }
        return contacts
    }

    /// The contacts of one trial of a server that was given many URLs: requests with the trial's path, and attempts to reach its dead end.
    private func requests(by trial: CanaryTrial) -> [CanaryContact] {
        if trial.isPublic { return [] }
        var contacts = Set(seen.connections.filter { $0.has(trial.path) }.map(\.address)).sorted().compactMap {
            address in
            Canary(at: address).map { CanaryContact(trial: trial, canary: $0, address: address, isHit: true) }
        }
        if loopbackRequests.contains(trial.path) { contacts.append(loopback(by: trial)) }
        for flow in seen.flows where flow.remote == trial.deadEnd && !flow.isInbound {
            contacts.append(CanaryContact(trial: trial, canary: nil, address: flow.remote, isHit: false))
        }
        return contacts
    }

    private func loopback(by trial: CanaryTrial) -> CanaryContact {
        CanaryContact(trial: trial, canary: .loopback, address: Canary.loopback.address, isHit: true)
    }

    /// The trials with a public host to which a server that was given many URLs sent no request.
    package var missedPublicHosts: [CanaryTrial] {
        canaries.filter { trial in
            trial.isPublic && !seen.connections.contains { Canary(at: $0.address) == nil && $0.has(trial.path) }
        }
    }
}

extension ServedConnection {
    fileprivate func has(_ path: String) -> Bool { exchanges.contains { $0.path == path } }
}
