// SPDX-License-Identifier: Apache-2.0
import NAT64
import Translation
import Wire

/// Keeps the packets and drops of a NAT64.
final class Witness: PacketOutput {
    private(set) var emitted: [(side: Side, packet: FuzzedPacket)] = []
    private(set) var drops: [DropReason] = []

    func emit(_ packet: inout PacketBuffer, to side: Side, _ outline: IPv6Outline?) {
        emitted.append((side, FuzzedPacket(packet)))
        // A receiver may overwrite the buffer.
        var bytes = packet.mutableBytes
        for index in bytes.indices { bytes[index] = 0xa5 }
    }

    func dropped(_ packet: borrowing PacketBuffer, from side: Side, because reason: DropReason) {
        drops.append(reason)
    }

    /// All packets and drops since the last call.
    func take() -> (emitted: [(side: Side, packet: FuzzedPacket)], drops: [DropReason]) {
        defer {
            emitted.removeAll()
            drops.removeAll()
        }
        return (emitted, drops)
    }
}
