// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Wire

/// The bytes of a `virtio_net_hdr`, in front of each packet of a TUN that was opened with `IFF_VNET_HDR`, and of each frame
/// of a packet socket with `PACKET_VNET_HDR`.
///
///      0       1          2            4          6                8                 10
///      +-------+----------+------------+----------+----------------+-----------------+
///      | flags | gso_type | hdr_len    | gso_size | csum_start     | csum_offset     |
///      +-------+----------+------------+----------+----------------+-----------------+
///
/// Numbers are in the host's byte order, the default of `TUNSETVNETLE` and `TUNSETVNETBE`. Offsets count from the octet after this
/// header, which is the first of the packet or of a link header before it.
enum VirtioNetHeader {
    static let size = clinux_vnet_header_size

    /// Parses the header of a packet of `packetLength` octets; `nil` if it contradicts itself or the packet.
    /// - Parameter linkHeader: octets between this header and the packet.
    @inline(always)
    static func decode(
        _ header: UnsafeRawBufferPointer, packetLength: Int, behind linkHeader: UInt16 = 0
    ) -> Offload? {
        var offload = Offload.none
        let flags = unsafe header[clinux_vnet_flags]
        let type = unsafe header[clinux_vnet_gso_type]

        if type != UInt8(clinux_vnet_gso_none) {
            switch Int(type & ~UInt8(clinux_vnet_gso_ecn)) {
            case clinux_vnet_gso_tcp_ipv4: offload.segmentation = .tcpIPv4
            case clinux_vnet_gso_tcp_ipv6: offload.segmentation = .tcpIPv6
            case clinux_vnet_gso_udp: offload.segmentation = .udp
            // UDP fragmentation and tunnels: we did not enable these offloads.
            default: return nil
            }
            offload.hasECN = Int(type) & clinux_vnet_gso_ecn != 0
            offload.segmentSize = unsafe number(header, clinux_vnet_gso_size)
            let length = unsafe number(header, clinux_vnet_header_length)
            // Only a hint (virtio 1.2 §5.1.6.2), so no reason to refuse a packet.
            offload.headerLength = length < linkHeader ? 0 : length - linkHeader
            if offload.segmentSize == 0 || Int(offload.headerLength) > packetLength { return nil }
        }

        // VIRTIO_NET_HDR_F_DATA_VALID, the only other flag, means that a complete checksum has been verified.
        if Int(flags) & clinux_vnet_needs_checksum != 0 {
            offload.hasPartialChecksum = true
            let start = unsafe number(header, clinux_vnet_checksum_start)
            if start < linkHeader { return nil }
            offload.checksumStart = start - linkHeader
            offload.checksumOffset = unsafe number(header, clinux_vnet_checksum_offset)
            if Int(offload.checksumStart) + Int(offload.checksumOffset) + 2 > packetLength { return nil }
        }
        return offload
    }

    /// - Parameter linkHeader: octets between this header and the packet.
    @inline(always)
    static func encode(
        _ offload: Offload, into header: UnsafeMutableRawBufferPointer, before linkHeader: UInt16 = 0
    ) {
        var type: Int
        switch offload.segmentation {
        case .none: type = clinux_vnet_gso_none
        case .tcpIPv4: type = clinux_vnet_gso_tcp_ipv4
        case .tcpIPv6: type = clinux_vnet_gso_tcp_ipv6
        case .udp: type = clinux_vnet_gso_udp
        }
        if offload.hasECN && offload.segmentation != .none { type |= clinux_vnet_gso_ecn }
        let flags = offload.hasPartialChecksum ? clinux_vnet_needs_checksum : 0
        unsafe header[clinux_vnet_flags] = UInt8(flags)
        unsafe header[clinux_vnet_gso_type] = UInt8(type)
        unsafe store(sum(offload.headerLength, linkHeader), header, clinux_vnet_header_length)
        unsafe store(offload.segmentSize, header, clinux_vnet_gso_size)
        unsafe store(sum(offload.checksumStart, linkHeader), header, clinux_vnet_checksum_start)
        unsafe store(offload.checksumOffset, header, clinux_vnet_checksum_offset)
    }

    /// The kernel refuses a clamped value, as it does not fit.
    @inline(always)
    private static func sum(_ offset: UInt16, _ linkHeader: UInt16) -> UInt16 {
        UInt16(clamping: Int(offset) + Int(linkHeader))
    }

    @inline(always)
    private static func number(_ header: UnsafeRawBufferPointer, _ offset: Int) -> UInt16 {
        unsafe header.loadUnaligned(fromByteOffset: offset, as: UInt16.self)
    }

    @inline(always)
    private static func store(_ value: UInt16, _ header: UnsafeMutableRawBufferPointer, _ offset: Int) {
        unsafe header.storeBytes(of: value, toByteOffset: offset, as: UInt16.self)
    }
}
