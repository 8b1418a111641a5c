// SPDX-License-Identifier: Apache-2.0
import Wire

/// Octets that may still wait, in one queue or in several that share it.
final class LateRoom {
    private let whole: Int
    fileprivate var left: Int

    init(_ octets: Int) {
        whole = octets
        left = octets
    }

    /// Whether no packet waits.
    var isEmpty: Bool { left == whole }

    /// - Returns: whether there was enough room.
    fileprivate func take(_ octets: Int) -> Bool {
        guard octets <= left else { return false }
        left -= octets
        return true
    }
}

/// A queue of packets that are held back, in the order in which they came.
struct LatePackets {
    struct Packet {
        var octets: [UInt8]
        var offload: Offload
        var due: Instant
    }

    /// Room left by the packets that wait; other queues may share it.
    private let room: LateRoom
    /// Most packets that may wait at a time, however small.
    private static let maximumPackets = 1 << 16

    private(set) var packets: [Packet] = []
    /// Index of the first packet that waits. Those before it have left, and are removed once they are half of the list, so that a packet
    /// costs the same however many wait.
    private var head = 0

    init(_ room: LateRoom) { self.room = room }

    /// The time at which the first packet is due; `.distantFuture` if none waits.
    var nextDeadline: Instant { head < packets.count ? packets[head].due : .distantFuture }

    /// - Parameters:
    ///   - due: raised to that of the packet before, if it is earlier.
    ///   - bit: index of the bit to flip, from the packet's first bit on.
    /// - Returns: whether there was room.
    mutating func take(_ packet: borrowing PacketBuffer, until due: Instant, flipping bit: Int? = nil) -> Bool {
        guard packets.count - head < Self.maximumPackets, room.take(packet.count) else { return false }
        let bytes = packet.bytes
        var octets: [UInt8] = []
        octets.reserveCapacity(bytes.count)
        for index in bytes.indices { octets.append(bytes[index]) }
        var offload = packet.offload
        if let bit {
            if offload.hasPartialChecksum { offload = Self.complete(&octets, offload) }
            octets[bit / 8] ^= 1 << UInt8(bit % 8)
        }
        let due = packets.isEmpty ? due : max(due, packets[packets.count - 1].due)
        packets.append(Packet(octets: octets, offload: offload, due: due))
        return true
    }

    /// Completes the checksum that was left to do, over the packet as it was sent, not as it arrives.
    private static func complete(_ octets: inout [UInt8], _ offload: Offload) -> Offload {
        var packet = PacketBuffer()
        packet.replace(with: octets.span)
        packet.offload = offload
        if packet.completeChecksum() { for index in octets.indices { octets[index] = packet.bytes[index] } }
        return packet.offload
    }

    /// - Returns: whether a packet was due, and is in the buffer now.
    mutating func next(into buffer: inout PacketBuffer, at now: Instant) -> Bool {
        guard head < packets.count, packets[head].due <= now else { return false }
        let packet = packets[head]
        packets[head].octets = []
        buffer.replace(with: packet.octets.span)
        buffer.offload = packet.offload
        room.left += packet.octets.count
        head += 1
        if head * 2 >= packets.count {
            packets.removeSubrange(..<head)
            head = 0
        }
        return true
    }
}
