import Evidence
import LinuxNet
import Router
import Translation
import Wire

/// The two TUNs of a packet path.
///
/// Owned by the packet path's thread; read after that has ended.
final class PathLinks: RouterOutput {
    private let client: TUNDevice
    private let world: WorldLink
    /// The links that are no more, and since when.
    private(set) var deleted: [DeletedLink.Side: Instant] = [:]

    init(client: consuming TUNDevice, world: WorldLink) {
        self.client = client
        self.world = world
    }

    func descriptor(of link: Link) -> Int32 { link == .client ? client.descriptor : world.tun.descriptor }

    func read(into packet: inout PacketBuffer, from link: Link) -> TUNDevice.ReadResult {
        link == .client ? client.read(into: &packet) : world.tun.read(into: &packet)
    }

    func send(_ packet: inout PacketBuffer, to link: Link) -> DropReason? {
        switch link == .client ? client.write(&packet) : world.tun.write(&packet) {
        // The loop, which reads from it as well, notes that it is gone.
        case .written, .error(.EBADFD): nil
        case .wouldBlock: .queueFull
        case .error: .unsupportedOffload
        }
    }

    /// The router counts them.
    func dropped(_ packet: borrowing PacketBuffer, from link: Link, because reason: DropReason) {}

    /// A TUN has turned out to be deleted; true if that is new.
    func noteDeleted(_ link: Link, at now: Instant) -> Bool {
        let side: DeletedLink.Side = link == .client ? .client : .world
        if deleted[side] != nil { return false }
        deleted[side] = now
        return true
    }
}
