// SPDX-License-Identifier: Apache-2.0
import TestPackets
import Testing
import Translation
import Wire

/// RFC 7915 §4.5: transport-layer header translation, UDP without a checksum.
@Suite struct RFC7915Section4_5Tests {
    static let refused = Result.dropped(
        .udpWithoutChecksum, answer: .ipv4(.communicationAdministrativelyProhibited))

    @Test(arguments: 0..<20)
    func `a missing checksum is computed`(length: Int) throws {
        let packet = IPv4Datagram().raw(17, udp(1, 2, payload(length)))
        #expect(try translate4(packet) == .packet(IPv6Datagram(hopLimit: 63).packet(17, udp(1, 2, payload(length)))))
    }

    @Test func `a missing checksum is computed over the UDP length alone`() throws {
        // Three octets follow that are not UDP's.
        let transport = udp(1, 2, payload(5))
        let expected = IPv6Datagram(hopLimit: 63).packet(17, transport)[40...]
        #expect(
            try translate4(IPv4Datagram().raw(17, transport + [1, 2, 3]))
                == .packet(IPv6Datagram(hopLimit: 63).raw(17, expected + [1, 2, 3])))
    }

    @Test func `by configuration it is refused`() throws {
        let options = TranslationOptions(udpZeroChecksum: .drop)
        #expect(try translate4(IPv4Datagram().raw(17, udp(1, 2, [1])), options: options) == Self.refused)
    }

    @Test func `a fragment without a checksum is refused`() throws {
        for options in [TranslationOptions(), TranslationOptions(udpZeroChecksum: .drop)] {
            let packet = IPv4Datagram(moreFragments: true).raw(17, udp(1, 2, payload(8)))
            #expect(try translate4(packet, options: options) == Self.refused)
        }
    }
}
