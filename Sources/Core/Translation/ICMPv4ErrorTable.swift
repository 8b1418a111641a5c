// SPDX-License-Identifier: Apache-2.0
import Wire

// The translation of ICMPv4 errors: the tables of RFC 7915 §4.2. Errors that are not listed are dropped.

extension ICMPv6Error {
    /// `nil` if there is no counterpart. `quotedLength` is the Total Length of the packet in error.
    init?(
        translating type: UInt8, code: UInt8, rest: UInt32, quotedLength: Int, options: TranslationOptions
    ) {
        switch (type, code) {
        // Destination Unreachable
        case (3, 0): self = .noRoute
        case (3, 1): self = .noRoute
        case (3, 2): self = .unrecognizedNextHeader
        case (3, 3): self = .portUnreachable
        case (3, 4): self = .packetTooBig(mtu: Self.mtu(of: rest, quotedLength: quotedLength, options: options))
        case (3, 5): self = .noRoute
        case (3, 6): self = .noRoute
        case (3, 7): self = .noRoute
        case (3, 8): self = .noRoute
        case (3, 9): self = .administrativelyProhibited
        case (3, 10): self = .administrativelyProhibited
        case (3, 11): self = .noRoute
        case (3, 12): self = .noRoute
        case (3, 13): self = .administrativelyProhibited
        case (3, 15): self = .administrativelyProhibited
        // Time Exceeded: the code stays.
        case (11, _): self = ICMPv6Error(type: ICMPv6Type.timeExceeded, code: code)
        // Parameter Problem: the pointer indicates the error (0), bad length (2).
        case (12, 0), (12, 2):
            guard let pointer = Self.pointer(of: rest) else { return nil }
            self = .erroneousHeader(at: pointer)
        default: return nil
        }
    }

    /// Protocol unreachable becomes "unrecognized Next Header type encountered", with a pointer to the IPv6 header's Next Header field.
    private static let unrecognizedNextHeader = ICMPv6Error(
        type: ICMPv6Type.parameterProblem, code: 1, rest: UInt32(IPv6Header.nextHeader))

    /// The MTU adjusted by the difference of the headers, within both next hops' MTUs, and never below 1280 (RFC 7915 §4.2).
    private static func mtu(of rest: UInt32, quotedLength: Int, options: TranslationOptions) -> Int {
        var mtu = Int(rest & 0xffff)
        // "If the IPv4 router set the MTU field to zero, i.e., the router does not implement [RFC1191], then the translator MUST
        // use the plateau values … Use the greatest plateau value that is less than the returned Total Length field".
        if mtu == 0 && options.usesPlateaus { mtu = plateaus.first { $0 < quotedLength } ?? 0 }
        let growth = IPv6Header.length - IPv4Header.length
        return max(IPv6Header.minimumMTU, min(mtu + growth, options.ipv6MTU, options.ipv4MTU + growth))
    }

    /// RFC 1191 §7, table 7-1.
    private static let plateaus = [65_535, 32_000, 17_914, 8_166, 4_352, 2_002, 1_492, 1_006, 508, 296, 68]

    /// RFC 7915 §4.2, figure 3.
    private static func pointer(of rest: UInt32) -> Int? {
        switch rest >> 24 {
        case 0: 0  // Version/IHL -> Version/Traffic Class
        case 1: 1  // Type of Service -> Traffic Class/Flow Label
        case 2, 3: 4  // Total Length -> Payload Length
        case 8: 7  // Time to Live -> Hop Limit
        case 9: 6  // Protocol -> Next Header
        case 12...15: 8  // Source Address
        case 16...19: 24  // Destination Address
        default: nil  // Identification, Flags, Fragment Offset, Header Checksum
        }
    }
}
