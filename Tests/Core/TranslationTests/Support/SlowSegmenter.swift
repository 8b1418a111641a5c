// SPDX-License-Identifier: Apache-2.0
import TestPackets
import Wire

// The obvious twin of segmentation: cut the payload, write each segment's headers from nothing.

/// TCP segments as a sender without offload would have made them; `flags` are those of the super-packet.
func slowSegments(
    sequence: UInt32, flags: UInt8, options: [UInt8], _ data: [UInt8], size: Int
) -> [[UInt8]] {
    let starts = data.isEmpty ? [0] : Array(stride(from: 0, to: data.count, by: size))
    return starts.map { start in
        var own = flags
        if start + size < data.count { own &= ~0x09 }
        if start > 0 { own &= ~0x80 }
        return tcp(
            1, 2, sequence: sequence &+ UInt32(start), flags: own, options: options,
            Array(data[start..<min(start + size, data.count)]))
    }
}

func slowDatagrams(_ data: [UInt8], size: Int) -> [[UInt8]] {
    stride(from: 0, to: data.count, by: size).map { udp(1, 2, Array(data[$0..<min($0 + size, data.count)])) }
}

extension Offload {
    /// The kernel's offload of a super-packet.
    static func segments(
        _ kind: Segmentation, size: Int, ipHeader: Int, transportHeader: Int
    ) -> Offload {
        var offload = Offload()
        offload.segmentation = kind
        offload.segmentSize = UInt16(size)
        offload.headerLength = UInt16(ipHeader + transportHeader)
        offload.hasPartialChecksum = true
        offload.checksumStart = UInt16(ipHeader)
        offload.checksumOffset = kind == .udp ? 6 : 16
        return offload
    }
}

/// The transport with the folded sum of a pseudo-header in its checksum field.
func partial(_ transport: [UInt8], field: Int, pseudoHeader: [UInt8]) -> [UInt8] {
    var result = transport
    result.replaceSubrange(field..<field + 2, with: bigEndian(slowSum(pseudoHeader)))
    return result
}
