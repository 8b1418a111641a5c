// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
package import Wire

extension ScenarioFile {
    /// Why it cannot be played against a running server, whose time and whose forwarders are its own; `nil` if it can.
    /// - Parameter isLocal: whether queries can be sent from an address.
    package func obstacle(isLocal: (IPAddress) -> Bool) throws -> String? {
        var clients: Set<IPAddress> = []
        var servesEveryone = true
        for block in blocks {
            switch block.keyword {
            case "forwarders", "asks", "tells": return "its forwarders are played by the scenario"
            case "wait": return "time passes in it"
            case "network" where !["", "any"].contains(block.argument): servesEveryone = false
            case "query": clients.insert(try query(block, id: 0).client.address)
            default: break
            }
        }
        // Where it does not matter who asks, it is asked from anywhere.
        if servesEveryone { clients.remove(Self.client.address) }
        guard let foreign = clients.first(where: { !isLocal($0) }) else { return nil }
        return "it asks from \(foreign), which is no address of this machine, or of another family than the server's"
    }

    /// The address from which a query is asked that does not say; where everyone is served, any other will do.
    package static var anyClient: IPAddress { client.address }
}
