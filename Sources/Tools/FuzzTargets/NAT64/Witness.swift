// SPDX-License-Identifier: Apache-2.0
import NAT64
import Translation
import Wire

/// Takes what a NAT64 lets go, and keeps it.
final class Witness: PacketOutput {
    private(set) var emitted: [(side: Side, packet: FuzzedPacket)] = []
    private(set) var drops: [DropReason] = []

    func emit(_ packet: inout PacketBuffer, to side: Side, _ outline: IPv6Outline?) {
        emitted.append((side, FuzzedPacket(packet)))
        // What the receiver does with the buffer is its own business.
        var bytes = packet.mutableBytes
        for index in bytes.indices { bytes[index] = 0xa5 }
    }

    func dropped(_ packet: borrowing PacketBuffer, from side: Side, because reason: DropReason) {
        drops.append(reason)
    }

    /// Everything since the last time.
    func take() -> (emitted: [(side: Side, packet: FuzzedPacket)], drops: [DropReason]) {
        defer {
            emitted.removeAll()
            drops.removeAll()
        }
        return (emitted, drops)
    }
}
