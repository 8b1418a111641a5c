// SPDX-License-Identifier: Apache-2.0
import Wire

/// The IPv4 SYNs that wait for a SYN of the IPv6 side (RFC 6146 §3.5.2.2, V4 INIT), a bounded number (§5.3).
struct StoredSYNs: ~Copyable {
    /// Average room for each: a SYN may carry data (RFC 7413), as much as fits into an Ethernet frame.
    private static let octetsEach = 3 * PacketStore.blockSize

    private struct Slot {
        var remote = TransportAddress4(IPv4Address(bits: 0), 0)
        var destination = TransportAddress4(IPv4Address(bits: 0), 0)
        var packet = noEntry
    }

    private var slots: [Slot] = []
    private var store: PacketStore
    private(set) var count = 0
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
        store = PacketStore(capacity: limit * Self.octetsEach)
    }

    var isFull: Bool { count >= limit }

    /// The slot of the stored SYN; `nil` if there is no room.
    mutating func insert(
        _ packet: Span<UInt8>, from remote: TransportAddress4, to destination: TransportAddress4
    ) -> UInt16? {
        if isFull { return nil }
        guard let stored = store.store(packet) else { return nil }
        let slot = Slot(remote: remote, destination: destination, packet: stored)
        count += 1
        if let vacant = slots.firstIndex(where: { $0.packet == noEntry }) {
            slots[vacant] = slot
            return UInt16(truncatingIfNeeded: vacant)
        }
        slots.append(slot)
        return UInt16(truncatingIfNeeded: slots.count - 1)
    }

    func load(_ slot: UInt16, into buffer: inout PacketBuffer) {
        store.load(slots[Int(slot)].packet, into: &buffer)
    }

    mutating func remove(_ slot: UInt16) {
        store.remove(slots[Int(slot)].packet)
        slots[Int(slot)].packet = noEntry
        count -= 1
    }

    /// The destination of an IPv4 host's stored SYN. A host on the IPv6 side that opens a connection to that very transport address is most
    /// probably the intended one: a simultaneous open.
    func awaitedDestination(of remote: TransportAddress4) -> TransportAddress4? {
        if count == 0 { return nil }
        return slots.first { $0.packet != noEntry && $0.remote == remote }?.destination
    }
}
