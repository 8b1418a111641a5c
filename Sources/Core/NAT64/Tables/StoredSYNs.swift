// SPDX-License-Identifier: Apache-2.0
import Wire

/// The IPv4 SYNs that wait for a SYN of the IPv6 side (RFC 6146 §3.5.2.2, V4 INIT), a bounded number (§5.3).
struct StoredSYNs: ~Copyable {
    /// Room for each, on average: a SYN may bring data with it (RFC 7413), as much as fits into an Ethernet frame.
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

    /// The slot where the SYN is; `nil` if there is no room.
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

    /// Where an IPv4 host's stored SYN is bound for. A host on the IPv6 side that opens a connection to that very transport
    /// address is most probably the one that it means: a simultaneous open.
    func awaitedDestination(of remote: TransportAddress4) -> TransportAddress4? {
        if count == 0 { return nil }
        return slots.first { $0.packet != noEntry && $0.remote == remote }?.destination
    }
}
