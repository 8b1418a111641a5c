// SPDX-License-Identifier: Apache-2.0
/// What the kernel left undone in a packet, or wants done to it: the meaning of a `virtio_net_hdr`.
///
/// A packet from or for a TUN with `IFF_VNET_HDR` may be a *super-packet*: up to 64 KB under one header, which stands for
/// a train of segments, and whose transport checksum is *partial*: only the pseudo-header is summed. This type is the
/// description; its bytes are LinuxNet's business.
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
    /// Payload octets in each segment; 0 where `segmentation` is `.none`.
    public var segmentSize: UInt16 = 0
    /// Octets of IP and transport headers that each segment repeats; 0 where `segmentation` is `.none`.
    public var headerLength: UInt16 = 0
    /// `VIRTIO_NET_HDR_GSO_ECN`: TCP CWR is set on the first segment only.
    public var hasECN = false
    /// The transport checksum field holds the folded, uncomplemented sum of the pseudo-header; the sum over the rest is
    /// the last sender's to complete (`VIRTIO_NET_HDR_F_NEEDS_CSUM`).
    public var hasPartialChecksum = false
    /// Where the summed range starts, in octets from the IP header; meaningful with `hasPartialChecksum`.
    public var checksumStart: UInt16 = 0
    /// Where the checksum field is, in octets from `checksumStart`; meaningful with `hasPartialChecksum`.
    public var checksumOffset: UInt16 = 0

    public init() {}

    public static let none = Offload()
}

extension PacketBuffer {
    /// The size of the largest packet on the wire that this one stands for: a segment's where it is a super-packet.
    public var largestPiece: Int {
        offload.segmentation == .none ? count : min(count, Int(offload.headerLength) + Int(offload.segmentSize))
    }

    /// Does what a partial checksum leaves to do; false, and nothing done, where it points outside the packet, or into its IP header, which
    /// has been read already.
    public mutating func completeChecksum() -> Bool {
        guard offload.hasPartialChecksum else { return true }
        let start = Int(offload.checksumStart)
        let field = start + Int(offload.checksumOffset)
        guard let headerLength = ipHeaderLength, start >= headerLength, field + 2 <= count else { return false }
        // The field holds the pseudo-header's sum, so that the sum over the range is the sum over everything.
        var sum = InternetChecksum()
        sum.add(bytes, in: start..<count)
        // A UDP checksum of zero means that there is none (RFC 768); 0xffff is the same number in one's complement.
        let isUDP = Int(offload.checksumOffset) == UDPHeader.checksum
        var bytes = mutableBytes
        bytes.setUInt16(isUDP && sum.checksum == 0 ? 0xffff : sum.checksum, at: field)
        offload.hasPartialChecksum = false
        return true
    }

    /// Without the extension headers of IPv6.
    private var ipHeaderLength: Int? {
        switch family {
        case .ipv6: IPv6Header.length
        case .ipv4: Int(bytes[IPv4Header.versionAndLength] & 0xf) * 4
        case nil: nil
        }
    }
}
