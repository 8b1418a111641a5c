import Wire

/// Packets that a fault of the link holds back, in the order in which they came.
struct LatePackets {
    struct Packet {
        var octets: [UInt8]
        var offload: Offload
        var due: Instant
    }

    /// Octets that wait at a time: what a second of a fast link brings.
    private static let limit = 64 << 20

    private(set) var packets: [Packet] = []
    /// Those before are gone. They leave the list when they are the most of it, so that one packet costs the same however many wait.
    private var head = 0
    private var waiting = 0

    /// When the first one's time comes; `.distantFuture` if none waits.
    var nextDeadline: Instant { head < packets.count ? packets[head].due : .distantFuture }

    /// - Returns: whether there was room.
    mutating func take(_ packet: borrowing PacketBuffer, until due: Instant) -> Bool {
        guard waiting + packet.count <= Self.limit else { return false }
        let bytes = packet.bytes
        var octets: [UInt8] = []
        octets.reserveCapacity(bytes.count)
        for index in bytes.indices { octets.append(bytes[index]) }
        packets.append(Packet(octets: octets, offload: packet.offload, due: due))
        waiting += octets.count
        return true
    }

    /// - Returns: whether a packet was due, and is in the buffer now.
    mutating func next(into buffer: inout PacketBuffer, at now: Instant) -> Bool {
        guard head < packets.count, packets[head].due <= now else { return false }
        let packet = packets[head]
        packets[head].octets = []
        buffer.replace(with: packet.octets.span)
        buffer.offload = packet.offload
        waiting -= packet.octets.count
        head += 1
        if head * 2 >= packets.count {
            packets.removeSubrange(..<head)
            head = 0
        }
        return true
    }
}
