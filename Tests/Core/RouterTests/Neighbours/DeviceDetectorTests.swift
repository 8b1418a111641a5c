// SPDX-License-Identifier: Apache-2.0
import TestPackets
import Testing
import Topology
import Wire

@testable import Router

/// Tests of frames for the detector of devices on a LAN.
@Suite struct DeviceDetectorTests {
    private static let own = EthernetAddress("02:00:5e:10:00:01")!
    private static let device = EthernetAddress("02:00:5e:20:00:02")!
    private static let detector = DeviceDetector(own: own, ipv6OnlyTime: 1800)

    private static func frame(_ type: [UInt8], _ packet: [UInt8], from source: EthernetAddress = device) -> [UInt8] {
        [0x33, 0x33, 0, 0, 0, 2] + source.octets + type + packet
    }

    private static func ipv6(_ type: UInt8, _ rest: [UInt8], hopLimit: UInt8 = 255) -> [UInt8] {
        IPv6Datagram(
            source: IPv6Address("fe80::100")!, destination: IPv6Address("ff02::2")!, hopLimit: hopLimit
        ).packet(.icmpv6(type, 0, rest))
    }

    private static func read(_ frame: [UInt8], by detector: DeviceDetector = detector) -> DeviceDetector.Sighting {
        detector.read(frame.span)
    }

    @Test func `a device shows itself by whatever it says of neighbours`() {
        #expect(Self.read(Self.frame([0x86, 0xdd], Self.ipv6(133, [0, 0, 0, 0]))) == .device(Self.device))
        #expect(
            Self.read(Self.frame([0x86, 0xdd], Self.ipv6(143, [0, 0, 0, 0], hopLimit: 1))) == .device(Self.device))
    }

    @Test func `the router itself, groups and other protocols are nobody`() {
        let asks = Self.ipv6(133, [0, 0, 0, 0])
        for source in [Self.own, EthernetAddress("33:33:00:00:00:01")!, EthernetAddress(bits: 0)] {
            #expect(Self.read(Self.frame([0x86, 0xdd], asks, from: source)) == .nothing)
        }
        #expect(Self.read(Self.frame([0x08, 0x06], asks)) == .nothing)
        #expect(Self.read(Self.frame([0x86, 0xdd], Array(asks.prefix(39)))) == .nothing)
        #expect(Self.read([]) == .nothing && Self.read(Self.frame([], [])) == .nothing)
    }

    @Test func `another router and another who has the router's address are strangers`() {
        let advertisement = Self.frame([0x86, 0xdd], Self.ipv6(134, [UInt8](repeating: 0, count: 12)))
        #expect(Self.read(advertisement) == .otherRouter(Self.device, IPv6Address("fe80::100")!))
        let claim = [0x20, 0, 0, 0] + bigEndian(NetworkPlan.linkLocalRouter)
        #expect(Self.read(Self.frame([0x86, 0xdd], Self.ipv6(136, claim))) == .routersAddress(Self.device))
        let other = [0x20, 0, 0, 0] + bigEndian(IPv6Address("fe80::7")!)
        #expect(Self.read(Self.frame([0x86, 0xdd], Self.ipv6(136, other))) == .device(Self.device))
        // Forwarded: from no neighbour.
        #expect(
            Self.read(Self.frame([0x86, 0xdd], Self.ipv6(134, [0, 0, 0, 0], hopLimit: 64))) == .device(Self.device))
    }

    @Test func `it asks who listens, by a report that is well made`() {
        let frame = Self.detector.query
        #expect(Array(frame.prefix(14)) == [0x33, 0x33, 0, 0, 0, 1] + Self.own.octets + [0x86, 0xdd])
        let verdict = PacketVerdict(Array(frame.dropFirst(14)))
        #expect(verdict.problem == nil && verdict.hopLimit == 1)
        #expect(verdict.source == bigEndian(NetworkPlan.linkLocalRouter))
    }

    // MARK: - DHCP

    /// A question of DHCPv4 as a device sends it.
    private static func question(
        options: [UInt8] = [53, 1, 1, 55, 3, 1, 3, 108], relay: UInt8 = 0, port: UInt8 = 67, op: UInt8 = 1
    ) -> [UInt8] {
        var message: [UInt8] = [op, 1, 6, 0, 0xca, 0xfe, 0xba, 0xbe, 0, 0, 0x80, 0]
        message += [UInt8](repeating: 0, count: 12) + [relay, 0, 0, 0]
        message += device.octets + [UInt8](repeating: 0, count: 202)
        message += [0x63, 0x82, 0x53, 0x63] + options + [255]
        let udp: [UInt8] = [0, 68, 0, port] + bigEndian(UInt16(8 + message.count)) + [0, 0]
        let header: [UInt8] =
            [0x45, 0] + bigEndian(UInt16(28 + message.count)) + [0, 0, 0, 0, 64, 17, 0, 0] + [0, 0, 0, 0]
            + [255, 255, 255, 255]
        return frame([0x08, 0x00], header + udp + message)
    }

    private static func answer(_ frame: [UInt8], by detector: DeviceDetector = detector) -> [UInt8]? {
        guard case .askedForIPv4(device, let answer) = read(frame, by: detector) else { return nil }
        return answer
    }

    @Test func `who asks for IPv4 and can do without is told to (RFC 8925 §3.3)`() throws {
        let answer = try #require(Self.answer(Self.question()))
        #expect(Array(answer.prefix(14)) == Self.device.octets + Self.own.octets + [8, 0])
        let verdict = PacketVerdict(Array(answer.dropFirst(14)))
        #expect(verdict.problem == nil)
        let message = Array(answer.dropFirst(14 + 28))
        #expect(Array(message.prefix(8)) == [2, 1, 6, 0, 0xca, 0xfe, 0xba, 0xbe])
        // All addresses are zero, except for the requesting device's Ethernet address
        #expect(message[12..<28].allSatisfy { $0 == 0 } && Array(message[28..<34]) == Self.device.octets)
        #expect(
            Array(message[236...]) == [
                0x63, 0x82, 0x53, 0x63, 53, 1, 2, 54, 4, 192, 0, 0, 8, 51, 4, 0, 0, 7, 8, 108, 4, 0, 0, 7, 8, 255,
            ])
    }

    @Test func `who would make an address up is told not to (RFC 2563)`() throws {
        let answer = try #require(Self.answer(Self.question(options: [53, 1, 1, 116, 1, 1, 55, 1, 108])))
        #expect(Array(answer.suffix(4)) == [116, 1, 0, 255])
    }

    @Test(arguments: [
        ("needs IPv4", question(options: [53, 1, 1, 55, 2, 1, 3])),
        ("a request", question(options: [53, 1, 3, 55, 1, 108])),
        ("by a relay", question(relay: 10)), ("to another port", question(port: 68)), ("an answer", question(op: 2)),
        ("no options", question(options: [])), ("a cut option", question(options: [53, 1, 1, 55, 9, 108])),
    ])
    func `nobody else gets an answer`(_ what: String, _ frame: [UInt8]) {
        #expect(Self.read(frame) == .nothing, "\(what)")
    }

    @Test func `no part of a question is one, and where nobody is told nobody is`() {
        let whole = Self.question()
        for length in 0..<whole.count - 4 {
            #expect(Self.answer(Array(whole.prefix(length))) == nil, "\(length)")
        }
        #expect(Self.answer(whole, by: DeviceDetector(own: Self.own, ipv6OnlyTime: nil)) == nil)
    }
}
