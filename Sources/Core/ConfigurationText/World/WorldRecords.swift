// SPDX-License-Identifier: Apache-2.0
package import DNS64
import DNSWire

extension RecordStore {
    /// The records that the DNS of a world has itself.
    /// - Parameter isAlone: whether there is no other server to ask.
    package init(_ world: World, isAlone: Bool) {
        self.init(world.records + world.reverseRecords, zones: isAlone ? [.root] : world.ownNames)
        for zone in world.zones { add(zone: zone.apex, zone.records) }
    }
}

extension World {
    /// The names of hosts, their addresses and records that are not below another of these names: if another server has the rest, the world
    /// answers for these and the names below them.
    fileprivate var ownNames: [DomainName] {
        let names = Set((records + reverseRecords).map(\.name))
        return names.filter { name in !name.ancestors.dropFirst().contains { names.contains($0) } }
    }
}
