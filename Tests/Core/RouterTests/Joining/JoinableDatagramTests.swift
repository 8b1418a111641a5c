// SPDX-License-Identifier: Apache-2.0
import TestPackets
import Testing
import Wire

@testable import Router

/// Which datagrams may share a super-packet.
@Suite struct JoinableDatagramTests {
    /// A datagram in the form in which a kernel with offloads delivers it: its checksum is left to the sender.
    static func packet(_ octets: [UInt8]) -> PacketBuffer {
        var offload = Offload.none
        let verdict = PacketVerdict(octets)
        offload.hasPartialChecksum = true
        offload.checksumStart = UInt16(verdict.payloadOffset)
        offload.checksumOffset = 6
        var octets = octets
        let sum = slowSum(
            pseudoHeader(verdict.source, verdict.destination, UpperLayer.udp, verdict.payload.count))
        let field = verdict.payloadOffset + 6
        octets.replaceSubrange(field..<field + 2, with: bigEndian(sum))
        return PacketBuffer(octets, offload: offload)
    }

    static let ipv6 = IPv6Datagram()
    static let ipv4 = IPv4Datagram()

    static func joinable(_ datagram: IPv6Datagram, _ upper: UpperLayer = .udp(4000, 9)) -> JoinableDatagram? {
        JoinableDatagram(packet(datagram.packet(upper)))
    }

    static func joinable(_ datagram: IPv4Datagram, _ upper: UpperLayer = .udp(4000, 9)) -> JoinableDatagram? {
        JoinableDatagram(packet(datagram.packet(upper)))
    }

    @Test func `a plain one may`() throws {
        let six = try #require(Self.joinable(Self.ipv6))
        #expect(six.payload == 5 && six.headerLength == 48 && six.identification == nil)
        let four = try #require(Self.joinable(Self.ipv4))
        #expect(four.payload == 5 && four.headerLength == 28 && four.identification == 0)
    }

    @Test func `one with a header of its own may not`() {
        var options = Self.ipv4
        options.options = [1, 1, 1, 1]
        #expect(Self.joinable(options) == nil)
        var first = Self.ipv4
        first.moreFragments = true
        #expect(Self.joinable(first) == nil)
        var later = Self.ipv4
        later.fragmentOffset = 8
        #expect(Self.joinable(later) == nil)
        var padded = Self.ipv6
        padded.extensions = [(60, [0, 0, 1, 4, 0, 0, 0, 0])]
        #expect(Self.joinable(padded) == nil)
        var atomic = Self.ipv6
        atomic.extensions = [IPv6Datagram.fragment(offset: 0, more: false, identification: 7)]
        #expect(Self.joinable(atomic) == nil)
    }

    @Test func `one without payload may not, for a segment has some`() {
        #expect(Self.joinable(Self.ipv6, .udp(4000, 9, [])) == nil)
        #expect(Self.joinable(Self.ipv4, .udp(4000, 9, [])) == nil)
        #expect(Self.joinable(Self.ipv4, .udp(4000, 9, [7]))?.payload == 1)
    }

    @Test(arguments: [true, false])
    func `one whose checksum is there, or missing, may not`(isIPv6: Bool) {
        var upper = UpperLayer.udp(4000, 9)
        let there = isIPv6 ? Self.ipv6.packet(upper) : Self.ipv4.packet(upper)
        #expect(JoinableDatagram(PacketBuffer(there)) == nil)
        upper.checksumOffset = nil
        let missing = isIPv6 ? Self.ipv6.packet(upper) : Self.ipv4.packet(upper)
        #expect(JoinableDatagram(PacketBuffer(missing)) == nil)
    }

    @Test(arguments: [true, false])
    func `one whose partial checksum is that of nothing may not`(isIPv6: Bool) {
        let octets = isIPv6 ? Self.ipv6.packet(.udp(4000, 9)) : Self.ipv4.packet(.udp(4000, 9))
        var packet = Self.packet(octets)
        #expect(JoinableDatagram(packet) != nil)
        var bytes = packet.mutableBytes
        bytes[(isIPv6 ? 40 : 20) + 7] ^= 1
        #expect(JoinableDatagram(packet) == nil)
    }

    @Test(arguments: [true, false])
    func `one whose offload speaks of something else may not`(isIPv6: Bool) {
        let octets = isIPv6 ? Self.ipv6.packet(.udp(4000, 9)) : Self.ipv4.packet(.udp(4000, 9))
        let changes: [(inout Offload) -> Void] = [
            { $0.checksumStart += 8 }, { $0.checksumStart = 0 }, { $0.checksumOffset = 16 }, { $0.segmentation = .udp },
        ]
        for change in changes {
            var packet = Self.packet(octets)
            change(&packet.offload)
            #expect(JoinableDatagram(packet) == nil)
        }
    }

    @Test(arguments: [true, false])
    func `one whose lengths contradict each other may not`(isIPv6: Bool) {
        let octets = isIPv6 ? Self.ipv6.packet(.udp(4000, 9)) : Self.ipv4.packet(.udp(4000, 9))
        var longer = Self.packet(octets + [0])
        longer.offload.checksumStart = isIPv6 ? 40 : 20
        #expect(JoinableDatagram(longer) == nil)
        var shorter = Self.packet(octets)
        var bytes = shorter.mutableBytes
        bytes[(isIPv6 ? 40 : 20) + 5] -= 1
        #expect(JoinableDatagram(shorter) == nil)
    }

    @Test(arguments: [true, false])
    func `at every truncated length there is an answer`(isIPv6: Bool) {
        let octets = isIPv6 ? Self.ipv6.packet(.udp(4000, 9)) : Self.ipv4.packet(.udp(4000, 9))
        var offload = Offload.none
        offload.hasPartialChecksum = true
        offload.checksumStart = isIPv6 ? 40 : 20
        offload.checksumOffset = 6
        for count in 0..<octets.count {
            #expect(JoinableDatagram(PacketBuffer(Array(octets.prefix(count)), offload: offload)) == nil)
        }
    }

    @Test func `TCP may not, whatever its offload says`() {
        #expect(Self.joinable(Self.ipv6, .tcp(4000, 9, .ack, payload: [1, 2, 3, 4])) == nil)
        #expect(Self.joinable(Self.ipv4, .tcp(4000, 9, .ack, payload: [1, 2, 3, 4])) == nil)
    }

    // MARK: - Pairs

    @Test func `what the segments of IPv6 share is the same`() throws {
        let first = try #require(Self.joinable(Self.ipv6))
        #expect(first.matches(first) && first.counts(onFrom: first, at: 1))
        let changes: [(inout IPv6Datagram) -> Void] = [
            { $0.source = IPv6Address("2001:db8::1")! }, { $0.destination = IPv6Address("2001:db8::1")! },
            // DSCP, ECN
            { $0.trafficClass = 4 }, { $0.trafficClass = 1 }, { $0.flowLabel = 1 }, { $0.flowLabel = 0xf_ffff },
            { $0.hopLimit = 63 },
        ]
        for change in changes {
            var other = Self.ipv6
            change(&other)
            #expect(try !#require(Self.joinable(other)).matches(first))
        }
        #expect(try !#require(Self.joinable(Self.ipv6, .udp(4001, 9))).matches(first))
        #expect(try !#require(Self.joinable(Self.ipv6, .udp(4000, 8))).matches(first))
        #expect(try !#require(Self.joinable(Self.ipv4)).matches(first))
    }

    @Test func `what the segments of IPv4 share is the same, and the identifications count on`() throws {
        let first = try #require(Self.joinable(Self.ipv4))
        #expect(first.matches(first) && !first.counts(onFrom: first, at: 1))
        var second = Self.ipv4
        second.identification = 1
        #expect(try #require(Self.joinable(second)).counts(onFrom: first, at: 1))
        #expect(try !#require(Self.joinable(second)).counts(onFrom: first, at: 2))
        let changes: [(inout IPv4Datagram) -> Void] = [
            { $0.source = IPv4Address(192, 0, 2, 1) }, { $0.destination = IPv4Address(192, 0, 2, 1) },
            { $0.tos = 4 }, { $0.tos = 1 }, { $0.ttl = 63 }, { $0.dontFragment = true },
        ]
        for change in changes {
            var other = second
            change(&other)
            #expect(try !#require(Self.joinable(other)).matches(first))
        }
        #expect(try !#require(Self.joinable(second, .udp(4001, 9))).matches(first))
        #expect(try !#require(Self.joinable(second, .udp(4000, 8))).matches(first))
    }

    @Test func `identifications go round, and with DF they mean nothing`() throws {
        var last = Self.ipv4
        last.identification = 0xffff
        #expect(try #require(Self.joinable(Self.ipv4)).counts(onFrom: #require(Self.joinable(last)), at: 1))
        last.dontFragment = true
        var other = Self.ipv4
        other.dontFragment = true
        #expect(try #require(Self.joinable(other)).counts(onFrom: #require(Self.joinable(last)), at: 9))
    }
}
