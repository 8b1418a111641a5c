/// What is not as usual about the links that the client was checked on.
package struct LinkConditions: Codable, Hashable, Sendable {
    /// Octets.
    package var clientMTU: Int
    package var worldMTU: Int
    /// The faults that were asked for, as they were written.
    package var faults: [String]

    package init(clientMTU: Int = usualMTU, worldMTU: Int = usualMTU, faults: [String] = []) {
        self.clientMTU = clientMTU
        self.worldMTU = worldMTU
        self.faults = faults
    }

    /// Ethernet's.
    package static let usualMTU = 1500

    /// A phrase for each; empty where everything is as usual.
    package var phrases: [String] {
        var phrases: [String] = []
        if clientMTU == worldMTU {
            if clientMTU != Self.usualMTU { phrases.append("MTU \(clientMTU)") }
        } else {
            phrases.append("MTU \(clientMTU), the world's \(worldMTU)")
        }
        return phrases + faults
    }
}
