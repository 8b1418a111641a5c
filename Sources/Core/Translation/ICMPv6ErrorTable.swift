// SPDX-License-Identifier: Apache-2.0
import Wire

// The translation of ICMPv6 errors: the tables of RFC 7915 §5.2. Errors that are not listed are dropped.

extension ICMPv4Error {
    /// `nil` if there is no counterpart.
    /// - Parameter isAboutFragment: Whether the packet in error has a Fragment Header.
    init?(translating type: UInt8, code: UInt8, rest: UInt32, isAboutFragment: Bool, options: TranslationOptions) {
        switch (type, code) {
        // Destination Unreachable
        case (1, 0): self = .hostUnreachable
        case (1, 1): self = .hostAdministrativelyProhibited
        case (1, 2): self = .hostUnreachable
        case (1, 3): self = .hostUnreachable
        case (1, 4): self = .portUnreachable
        // Packet Too Big
        case (2, _): self = .fragmentationNeeded(mtu: Self.mtu(of: rest, isAboutFragment, options))
        // Time Exceeded: the code stays.
        case (3, _): self = ICMPv4Error(type: ICMPv4Type.timeExceeded, code: code)
        // Parameter Problem: erroneous header field (0), unrecognized Next Header (1).
        case (4, 0):
            guard let pointer = Self.pointer(of: rest) else { return nil }
            self = ICMPv4Error(type: ICMPv4Type.parameterProblem, code: 0, rest: UInt32(pointer) << 24)
        case (4, 1): self = .protocolUnreachable
        default: return nil
        }
    }

    /// "min((MTU value in the Packet Too Big Message)-20, MTU_of_IPv4_nexthop, (MTU_of_IPv6_nexthop)-20)" (RFC 7915 §5.2), but at least the
    /// MTU that every IPv4 link has. "taking into account whether or not the packet in error includes a Fragment Header": otherwise a
    /// sender of fragments with DF would get the same MTU again and again.
    private static func mtu(of rest: UInt32, _ isAboutFragment: Bool, _ options: TranslationOptions) -> Int {
        let growth = IPv6Header.length + (isAboutFragment ? IPv6FragmentHeader.length : 0) - IPv4Header.length
        return max(68, min(Int(rest) - growth, options.ipv4MTU, options.ipv6MTU - growth))
    }

    /// RFC 7915 §5.2, figure 6.
    private static func pointer(of rest: UInt32) -> UInt8? {
        switch rest {
        case 0: 0  // Version/Traffic Class -> Version/IHL, Type of Service
        case 1: 1  // Traffic Class/Flow Label -> Type of Service
        case 4, 5: 2  // Payload Length -> Total Length
        case 6: 9  // Next Header -> Protocol
        case 7: 8  // Hop Limit -> Time to Live
        case 8...23: 12  // Source Address
        case 24...39: 16  // Destination Address
        default: nil  // Flow Label, and everything after the IPv6 header
        }
    }
}
