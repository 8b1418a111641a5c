// SPDX-License-Identifier: Apache-2.0
import Evidence
import LinuxNet
import Router
import Translation
import Wire

/// The two links of a packet path.
///
/// Owned by the packet path's thread; read after the thread has ended.
final class PathLinks: RouterOutput {
    private let client: LinkDevice
    private let world: WorldLink
    /// The deleted links, and the time at which each was found to be deleted.
    private(set) var deleted: [DeletedLink.Side: Instant] = [:]
    /// Links whose deletion was found when a packet was sent, and that the loop has not noted yet.
    private(set) var foundDeleted: [Link] = []

    init(client: consuming LinkDevice, world: WorldLink) {
        self.client = client
        self.world = world
    }

    /// Switches offloads on or off. They are off when single packets are to be lost or delayed, and not trains of them.
    func setOffloads(_ areOn: Bool) throws(SystemError) {
        try client.setOffloads(areOn)
        try world.device.setOffloads(areOn)
    }

    /// Whether both links take trains of datagrams as one.
    var haveUDPSegmentation: Bool { client.hasUDPSegmentation && world.device.hasUDPSegmentation }

    func descriptor(of link: Link) -> Int32 { link == .client ? client.descriptor : world.device.descriptor }

    func read(into packet: inout PacketBuffer, from link: Link) -> LinkDevice.ReadResult {
        link == .client ? client.read(into: &packet) : world.device.read(into: &packet)
    }

    func send(_ packet: inout PacketBuffer, to link: Link) -> DropReason? {
        switch link == .client ? client.write(&packet) : world.device.write(&packet) {
        case .written: return nil
        case .deleted:
            if !foundDeleted.contains(link) { foundDeleted.append(link) }
            return nil
        case .wouldBlock: return .queueFull
        case .error: return .unsupportedOffload
        }
    }

    /// Empty, as the router counts dropped packets.
    func dropped(_ packet: borrowing PacketBuffer, from link: Link, because reason: DropReason) {}

    /// Notes that a link was found to be deleted; true if that is new.
    func noteDeleted(_ link: Link, at now: Instant) -> Bool {
        let side: DeletedLink.Side = link == .client ? .client : .world
        foundDeleted.removeAll { $0 == link }
        if deleted[side] != nil { return false }
        deleted[side] = now
        return true
    }
}
