// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Capture

@Suite struct `The IP packet in a frame` {
    static let ipv4: [UInt8] = [0x45, 0, 0, 20]
    static let ipv6: [UInt8] = [0x60, 0, 0, 0]
    static let addresses = [UInt8](repeating: 0x02, count: 12)
    static let cooked: [UInt8] = [0, 0, 0, 1, 0, 6, 2, 2, 2, 2, 2, 2, 0, 0]
    static let cooked2: [UInt8] = [0, 0, 0, 0, 0, 2, 0, 1, 0, 6, 2, 2, 2, 2, 2, 2, 0, 0]

    @Test(arguments: [
        (LinkType.raw, ipv4, 0), (.raw, ipv6, 0),
        (.ethernet, addresses + [0x08, 0x00] + ipv4, 14), (.ethernet, addresses + [0x86, 0xdd] + ipv6, 14),
        (.ethernet, addresses + [0x81, 0x00, 0, 7, 0x86, 0xdd] + ipv6, 18),
        (.ethernet, addresses + [0x88, 0xa8, 0, 7, 0x81, 0x00, 0, 8, 0x08, 0x00] + ipv4, 22),
        (.linuxCooked, cooked + [0x86, 0xdd] + ipv6, 16), (.linuxCooked2, [0x08, 0x00] + cooked2 + ipv4, 20),
        (.loopback, [2, 0, 0, 0] + ipv4, 4), (.loopback, [0, 0, 0, 30] + ipv6, 4),
    ])
    func `starts behind the link layer's header`(type: LinkType, frame: [UInt8], offset: Int) {
        #expect(type.ipOffset(frame.span) == offset)
        // Cut off anywhere before the packet, it is none.
        for length in 0...offset { #expect(type.ipOffset(Array(frame.prefix(length)).span) == nil) }
    }

    @Test(arguments: [
        // ARP; an IPv6 type before an octet that is no version; a family of nothing.
        (LinkType.ethernet, addresses + [0x08, 0x06] + ipv4), (.ethernet, addresses + [0x86, 0xdd, 0x00]),
        (.linuxCooked, cooked + [0x08, 0x06] + ipv4), (.linuxCooked2, [0x08, 0x06] + cooked2 + ipv4),
        (.raw, [0x00]), (.raw, []), (.loopback, [2, 0, 0, 0, 0x50]),
    ])
    func `is not there where the frame carries something else`(type: LinkType, frame: [UInt8]) {
        #expect(type.ipOffset(frame.span) == nil)
    }
}
