// SPDX-License-Identifier: Apache-2.0
internal import CPcap

/// The header before the IP header of each packet in a file (libpcap's DLT_ values).
package enum LinkType: CaseIterable {
    /// No header.
    case raw
    case ethernet
    /// Linux "cooked" captures, such as those of the `any` interface.
    case linuxCooked
    case linuxCooked2
    /// A 32-bit family number, in the byte order of the capturing machine, or big-endian.
    case loopback

    init?(_ number: Int32) {
        switch Int(number) {
        case CPCAP_RAW, CPCAP_IPV4, CPCAP_IPV6: self = .raw
        case CPCAP_ETHERNET: self = .ethernet
        case CPCAP_LINUX_SLL: self = .linuxCooked
        case CPCAP_LINUX_SLL2: self = .linuxCooked2
        case CPCAP_NULL, CPCAP_LOOP: self = .loopback
        default: return nil
        }
    }

    /// Offset of the IP header, or `nil` if this is no IP packet.
    ///
    ///     Ethernet        destination 6 · source 6 · [tag 0x8100 or 0x88a8 · 2]… · type 2
    ///     linuxCooked     kind 2 · ARPHRD 2 · length 2 · address 8 · type 2
    ///     linuxCooked2    type 2 · zero 2 · interface 4 · ARPHRD 2 · kind 1 · length 1 · address 8
    ///     loopback        family 4
    package func ipOffset(_ frame: Span<UInt8>) -> Int? {
        let start: Int
        switch self {
        case .raw: start = 0
        case .ethernet:
            var type = 12
            while let value = Self.number(frame, type), value == 0x8100 || value == 0x88a8 { type += 4 }
            guard Self.isIP(Self.number(frame, type)) else { return nil }
            start = type + 2
        case .linuxCooked:
            guard Self.isIP(Self.number(frame, 14)) else { return nil }
            start = 16
        case .linuxCooked2:
            guard Self.isIP(Self.number(frame, 0)) else { return nil }
            start = 20
        case .loopback: start = 4
        }
        // The IP version decides: the link layer's type may be wrong, and the family's number differs between systems.
        guard start < frame.count, frame[start] >> 4 == 4 || frame[start] >> 4 == 6 else { return nil }
        return start
    }

    private static func isIP(_ type: UInt16?) -> Bool { type == 0x0800 || type == 0x86dd }

    private static func number(_ frame: Span<UInt8>, _ offset: Int) -> UInt16? {
        guard offset + 2 <= frame.count else { return nil }
        return UInt16(frame[offset]) << 8 | UInt16(frame[offset + 1])
    }
}
