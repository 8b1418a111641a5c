// SPDX-License-Identifier: Apache-2.0
import NAT64
import Wire

extension PacketBuffer {
    /// Marks a TCP packet that is larger than the links as a super-packet: captures on hosts with segmentation offload contain them,
    /// without a mark in the file. Its segments have the size that both links take.
    mutating func takeForSuperPacket(ipv6MTU: Int, ipv4MTU: Int) {
        let payload = min(ipv6MTU - IPv6Header.length, ipv4MTU - IPv4Header.length)
        switch family {
        case .ipv6:
            guard count > ipv6MTU, let layout = try? IPv6Layout(bytes), layout.fragmentHeader == nil else { return }
            describe(layout.transport, .tcpIPv6, payload)
        case .ipv4:
            guard count > ipv4MTU, let layout = try? IPv4Layout(bytes), layout.fragment.isWhole else { return }
            describe(layout.transport, .tcpIPv4, payload)
        case nil: return
        }
    }

    /// - Parameter payload: octets after the IP header that each segment may have.
    private mutating func describe(_ transport: TransportLayout, _ kind: Offload.Segmentation, _ payload: Int) {
        guard transport.kind == .tcp else { return }
        let header = Int(bytes[transport.offset + TCPHeader.dataOffset] >> 4) * 4
        // With the smallest MTU of IPv4, 68, a TCP header of 60 octets does not fit.
        guard payload > header else { return }
        offload.segmentation = kind
        offload.segmentSize = UInt16(clamping: payload - header)
        offload.headerLength = UInt16(clamping: transport.offset + header)
    }
}
