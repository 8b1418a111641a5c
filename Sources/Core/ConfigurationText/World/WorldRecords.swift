// SPDX-License-Identifier: Apache-2.0
package import DNS64
import DNSWire

extension RecordStore {
    /// The records of a world's own DNS.
    /// - Parameter isAlone: whether there is no other server to ask.
    package init(_ world: World, isAlone: Bool) {
        self.init(world.records + world.reverseRecords, zones: isAlone ? [.root] : world.ownNames)
        for zone in world.zones { add(zone: zone.apex, zone.records) }
    }
}

extension World {
    /// The names of hosts, their addresses and records that lie below none of the others: if another server knows the rest, the world speaks for
    /// these and what is below them.
    fileprivate var ownNames: [DomainName] {
        let names = Set((records + reverseRecords).map(\.name))
        return names.filter { name in !name.ancestors.dropFirst().contains { names.contains($0) } }
    }
}
