// SPDX-License-Identifier: Apache-2.0
import TestPackets
import Wire

/// A packet in the form in which a TUN delivers it.
struct FuzzedPacket {
    var octets: [UInt8]
    var offload = Offload.none

    var verdict: PacketVerdict { PacketVerdict(octets) }
}

extension FuzzedPacket {
    /// Repairs damaged lengths, the IPv4 header's checksum and the transport's, if there is one. So a damaged packet gets further.
    mutating func heal(lengths: Bool, transport: Bool) {
        guard let version = octets.first.map({ $0 >> 4 }) else { return }
        if version == 4 && octets.count >= 20 {
            if lengths { octets.replaceSubrange(2..<4, with: bigEndian(UInt16(clamping: octets.count))) }
            let length = max(20, min(octets.count, Int(octets[0] & 0xf) * 4))
            octets.replaceSubrange(10..<12, with: [0, 0])
            octets.replaceSubrange(10..<12, with: bigEndian(slowChecksum(Array(octets[..<length]))))
        } else if version == 6 && octets.count >= 40 && lengths {
            octets.replaceSubrange(4..<6, with: bigEndian(UInt16(clamping: octets.count - 40)))
        }
        if transport { healTransport() }
    }

    private mutating func healTransport() {
        let verdict = verdict
        guard let field = UpperLayer.checksumOffset(of: verdict.protocolNumber),
            verdict.problem == nil, verdict.fragment == nil, verdict.payload.count >= field + 2
        else { return }
        let upper = UpperLayer(
            protocolNumber: verdict.protocolNumber, octets: verdict.payload, checksumOffset: field)
        let summed = upper.summed(
            pseudoHeader(verdict.source, verdict.destination, upper.protocolNumber, upper.octets.count))
        octets.replaceSubrange(verdict.payloadOffset..., with: summed)
    }

    /// Turns a whole TCP or UDP packet into one of a kernel with offloads: with a partial checksum, and with a segment size other than 0 as
    /// a super-packet.
    mutating func offload(segmentSize: UInt16) {
        let verdict = verdict
        guard verdict.problem == nil, verdict.fragment == nil else { return }
        let headerLength: Int
        switch verdict.protocolNumber {
        case UpperLayer.tcp where verdict.payload.count >= 20:
            headerLength = Int(verdict.payload[12] >> 4) * 4
            offload.checksumOffset = 16
            offload.segmentation = verdict.source.count == 16 ? .tcpIPv6 : .tcpIPv4
        case UpperLayer.udp where verdict.payload.count >= 8:
            headerLength = 8
            offload.checksumOffset = 6
            offload.segmentation = .udp
        default:
            return
        }
        if segmentSize == 0 { offload.segmentation = .none }
        offload.segmentSize = segmentSize
        offload.headerLength = segmentSize == 0 ? 0 : UInt16(clamping: verdict.payloadOffset + headerLength)
        offload.hasPartialChecksum = true
        offload.checksumStart = UInt16(clamping: verdict.payloadOffset)
        let sum = slowSum(
            pseudoHeader(verdict.source, verdict.destination, verdict.protocolNumber, verdict.payload.count))
        let field = verdict.payloadOffset + Int(offload.checksumOffset)
        octets.replaceSubrange(field..<field + 2, with: bigEndian(sum))
    }
}
