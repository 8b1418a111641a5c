// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
package import Wire

extension ScenarioFile {
    /// Why it cannot run against a real server, whose time and forwarders are outside its control; `nil` if it can.
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
        // If all clients are served alike, the query may come from any address.
        if servesEveryone { clients.remove(Self.client.address) }
        guard let foreign = clients.first(where: { !isLocal($0) }) else { return nil }
        return "it asks from \(foreign), which is no address of this machine, or of another family than the server's"
    }

    /// The client address of a query that does not specify one; if all clients are served, any other works as well.
    package static var anyClient: IPAddress { client.address }
}
