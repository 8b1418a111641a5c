// SPDX-License-Identifier: Apache-2.0
/// The two families of IP.
public enum IPFamily: UInt8, CaseIterable, Hashable, Sendable {
    case ipv6, ipv4
}

extension PacketBuffer {
    /// From the packet's version field; `nil` if it is no IP packet.
    @inline(always)
    public var family: IPFamily? {
        guard count > 0 else { return nil }
        switch bytes[IPv6Header.versionClassAndFlow] >> 4 {
        case 6: return .ipv6
        case 4: return .ipv4
        default: return nil
        }
    }
}
