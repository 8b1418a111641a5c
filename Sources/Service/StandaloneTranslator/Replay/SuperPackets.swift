// SPDX-License-Identifier: Apache-2.0
import NAT64
import Wire

extension PacketBuffer {
    /// Takes a TCP packet that is larger than the links for a super-packet, as captures on hosts with segmentation offload have
    /// them; the file does not say so. Its segments have the size that both links take.
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

    /// - Parameter payload: octets behind the IP header that each segment may have.
    private mutating func describe(_ transport: TransportLayout, _ kind: Offload.Segmentation, _ payload: Int) {
        guard transport.kind == .tcp else { return }
        let header = Int(bytes[transport.offset + TCPHeader.dataOffset] >> 4) * 4
        // A TCP header of 60 octets fits the smallest MTU of IPv4, 68, barely not.
        guard payload > header else { return }
        offload.segmentation = kind
        offload.segmentSize = UInt16(clamping: payload - header)
        offload.headerLength = UInt16(clamping: transport.offset + header)
    }
}
