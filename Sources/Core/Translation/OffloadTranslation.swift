// SPDX-License-Identifier: Apache-2.0
import Wire

extension Offload {
    /// Adapts the remaining work to the other family: it is the same, at other offsets.
    mutating func becomeIPv4(_ superPacket: SuperPacket?) {
        become(tcp: .tcpIPv4, ipHeaderLength: IPv4Header.length, superPacket)
    }

    mutating func becomeIPv6(_ superPacket: SuperPacket?) {
        become(tcp: .tcpIPv6, ipHeaderLength: IPv6Header.length, superPacket)
    }

    private mutating func become(tcp: Segmentation, ipHeaderLength: Int, _ superPacket: SuperPacket?) {
        checksumStart = hasPartialChecksum ? UInt16(clamping: ipHeaderLength) : 0
        guard let superPacket else { return }
        if segmentation != .udp { segmentation = tcp }
        headerLength = UInt16(clamping: ipHeaderLength + superPacket.transportHeaderLength)
    }
}
