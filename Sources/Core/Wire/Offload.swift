// SPDX-License-Identifier: Apache-2.0
/// The work on a packet that the kernel has left undone, or requests: the meaning of a `virtio_net_hdr`.
///
/// A packet from or for a TUN with `IFF_VNET_HDR` may be a *super-packet*: up to 64 KB under one header, which represents a series of
/// segments, and whose transport checksum is *partial*: only the pseudo-header is summed. This type is the description; LinuxNet handles
/// its bytes.
public struct Offload: Hashable, Sendable {
    public enum Segmentation: Hashable, Sendable {
        case none
        /// TCP over IPv4 (`VIRTIO_NET_HDR_GSO_TCPV4`).
        case tcpIPv4
        /// TCP over IPv6 (`VIRTIO_NET_HDR_GSO_TCPV6`).
        case tcpIPv6
        /// UDP segmentation over either family (`VIRTIO_NET_HDR_GSO_UDP_L4`).
        case udp
    }

    public var segmentation: Segmentation = .none
    /// Payload octets in each segment; 0 if `segmentation` is `.none`.
    public var segmentSize: UInt16 = 0
    /// Octets of IP and transport headers that each segment repeats; 0 if `segmentation` is `.none`.
    public var headerLength: UInt16 = 0
    /// `VIRTIO_NET_HDR_GSO_ECN`: TCP CWR is set on the first segment only.
    public var hasECN = false
    /// The transport checksum field contains the folded, uncomplemented sum of the pseudo-header; the last sender completes it with the sum
    /// over the rest (`VIRTIO_NET_HDR_F_NEEDS_CSUM`).
    public var hasPartialChecksum = false
    /// The start of the summed range, in octets from the IP header; meaningful with `hasPartialChecksum`.
    public var checksumStart: UInt16 = 0
    /// The position of the checksum field, in octets from `checksumStart`; meaningful with `hasPartialChecksum`.
    public var checksumOffset: UInt16 = 0

    public init() {}

    public static let none = Offload()
}

extension PacketBuffer {
    /// The size of the largest packet on the wire that this one represents: that of a segment if it is a super-packet.
    public var largestPiece: Int {
        offload.segmentation == .none ? count : min(count, Int(offload.headerLength) + Int(offload.segmentSize))
    }

    /// Completes a partial checksum; false, without a change, if it is outside the packet, or in its IP header, which has been read
    /// already.
    public mutating func completeChecksum() -> Bool {
        guard offload.hasPartialChecksum else { return true }
        let start = Int(offload.checksumStart)
        let field = start + Int(offload.checksumOffset)
        guard let headerLength = ipHeaderLength, start >= headerLength, field + 2 <= count else { return false }
        // The field contains the pseudo-header's sum, so the sum over the range is the sum over everything.
        var sum = InternetChecksum()
        sum.add(bytes, in: start..<count)
        // A UDP checksum of zero means that there is none (RFC 768); 0xffff is the same number in one's complement.
        let isUDP = Int(offload.checksumOffset) == UDPHeader.checksum
        var bytes = mutableBytes
        bytes.setUInt16(isUDP && sum.checksum == 0 ? 0xffff : sum.checksum, at: field)
        offload.hasPartialChecksum = false
        return true
    }

    /// Without IPv6 extension headers.
    private var ipHeaderLength: Int? {
        switch family {
        case .ipv6: IPv6Header.length
        case .ipv4: Int(bytes[IPv4Header.versionAndLength] & 0xf) * 4
        case nil: nil
        }
    }
}
