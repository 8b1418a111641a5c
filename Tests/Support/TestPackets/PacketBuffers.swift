// SPDX-License-Identifier: Apache-2.0
package import Wire

extension PacketBuffer {
    package init(_ packet: [UInt8], offload: Offload = .none) {
        self.init(capacity: PacketBuffer.largestPacket)
        replace(with: packet.span)
        self.offload = offload
    }

    package var octets: [UInt8] {
        let bytes = self.bytes
        return bytes.indices.map { bytes[$0] }
    }
}

/// A buffer full of 0xa5, so that octets that were not written are visible.
package func soiledBuffer() -> PacketBuffer {
    var buffer = PacketBuffer()
    buffer.resize(to: PacketBuffer.largestPacket)
    var bytes = buffer.mutableBytes
    for index in bytes.indices { bytes[index] = 0xa5 }
    buffer.reset()
    return buffer
}
