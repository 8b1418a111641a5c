// SPDX-License-Identifier: Apache-2.0
import TestPackets
import Testing
import Translation
import Wire

/// RFC 1812 §4.3.2, RFC 4443 §2.4: the errors that we originate, and those that we must not.
@Suite struct ICMPErrorBuilderTests {
    static let router4 = IPv4Address(192, 0, 2, 1)
    static let router6 = IPv6Address("2001:db8::1")!

    static func answer(_ packet: [UInt8], _ error: ICMPv4Error) throws -> [UInt8]? {
        var builder = ICMPErrorBuilder(ipv4Source: router4, ipv6Source: router6, seed: 0x77)
        let buffer = PacketBuffer(packet)
        var reply = soiledBuffer()
        let isMade = builder.build(error, about: buffer, try IPv4Layout(buffer.bytes), into: &reply)
        return isMade ? reply.octets : nil
    }

    static func answer(_ packet: [UInt8], _ error: ICMPv6Error) throws -> [UInt8]? {
        var builder = ICMPErrorBuilder(ipv4Source: router4, ipv6Source: router6)
        let buffer = PacketBuffer(packet)
        var reply = soiledBuffer()
        let isMade = builder.build(error, about: buffer, try IPv6Layout(buffer.bytes), into: &reply)
        return isMade ? reply.octets : nil
    }

    @Test(
        arguments: [
            .ttlExceeded, .fragmentationNeeded(mtu: 1400), .portUnreachable, .sourceRouteFailed,
            .communicationAdministrativelyProhibited, .fragmentationNeeded(mtu: 70_000),
        ] as [ICMPv4Error])
    func `an ICMPv4 error quotes up to 576 octets`(error: ICMPv4Error) throws {
        let header = IPv4Datagram(
            source: Self.router4, destination: IPv4Datagram().source, tos: 0xc0, identification: 0x77)
        for length in [0, 1, 519, 520, 521, 1400] {
            let packet = IPv4Datagram().packet(17, udp(1, 2, payload(length)))
            let expected = header.packet(1, icmp(error.type, error.code, rest: error.rest, Array(packet.prefix(548))))
            #expect(try Self.answer(packet, error) == expected)
        }
    }

    @Test(
        arguments: [
            .hopLimitExceeded, .packetTooBig(mtu: 1400), .portUnreachable, .administrativelyProhibited,
            .erroneousHeader(at: 43), .packetTooBig(mtu: .max), .noRoute,
        ] as [ICMPv6Error])
    func `an ICMPv6 error quotes up to 1280 octets`(error: ICMPv6Error) throws {
        let header = IPv6Datagram(source: Self.router6, destination: IPv6Datagram().source)
        for length in [0, 1, 1183, 1184, 1185, 1400] {
            let packet = IPv6Datagram().packet(17, udp(1, 2, payload(length)))
            let expected = header.packet(58, icmp(error.type, error.code, rest: error.rest, Array(packet.prefix(1232))))
            #expect(try Self.answer(packet, error) == expected)
        }
    }

    @Test func `no error about an ICMP error`() throws {
        for type: UInt8 in [3, 4, 5, 11, 12] {
            #expect(try Self.answer(IPv4Datagram().packet(1, icmp(type, 0, payload(28))), .ttlExceeded) == nil)
        }
        for type: UInt8 in [0, 1, 2, 3, 4, 100, 127] {
            #expect(try Self.answer(IPv6Datagram().packet(58, icmp(type, 0, payload(48))), .hopLimitExceeded) == nil)
        }
    }

    @Test func `no error about an ICMPv6 redirect`() throws {
        #expect(try Self.answer(IPv6Datagram().packet(58, icmp(137, 0, payload(32))), .hopLimitExceeded) == nil)
    }

    @Test func `queries are answered`() throws {
        #expect(try Self.answer(IPv4Datagram().packet(1, echo(8, identifier: 1, [])), .ttlExceeded) != nil)
        #expect(try Self.answer(IPv6Datagram().packet(58, echo(128, identifier: 1, [])), .hopLimitExceeded) != nil)
    }

    @Test func `no error about a later fragment`() throws {
        #expect(try Self.answer(IPv4Datagram(fragmentOffset: 80).raw(17, payload(9)), .ttlExceeded) == nil)
        #expect(try Self.answer(IPv4Datagram(moreFragments: true).raw(17, udp(1, 2, payload(8))), .ttlExceeded) != nil)
    }

    @Test func `an ICMPv6 error about a later fragment only if it cannot be of an error`() throws {
        let later = IPv6Datagram(extensions: [IPv6Datagram.fragment(offset: 80, more: false, identification: 1)])
        #expect(try Self.answer(later.raw(17, payload(9)), .packetTooBig(mtu: 1280)) != nil)
        #expect(try Self.answer(later.raw(58, payload(9)), .packetTooBig(mtu: 1280)) == nil)
    }

    @Test func `no error to who is not a single host`() throws {
        for text in ["0.0.0.0", "127.0.0.1", "224.0.0.1", "255.255.255.255"] {
            let packet = IPv4Datagram(source: IPv4Address(text)!).packet(17, udp(1, 2, []))
            #expect(try Self.answer(packet, .ttlExceeded) == nil)
        }
        for text in ["::", "ff02::1"] {
            let packet = IPv6Datagram(source: IPv6Address(text)!).packet(17, udp(1, 2, []))
            #expect(try Self.answer(packet, .hopLimitExceeded) == nil)
        }
    }

    @Test func `no error about a multicast but for its size`() throws {
        for text in ["224.0.0.1", "255.255.255.255"] {
            let packet = IPv4Datagram(destination: IPv4Address(text)!).packet(17, udp(1, 2, []))
            #expect(try Self.answer(packet, .ttlExceeded) == nil)
        }
        let packet = IPv6Datagram(destination: IPv6Address("ff0e::1")!).packet(17, udp(1, 2, []))
        #expect(try Self.answer(packet, .hopLimitExceeded) == nil)
        #expect(try Self.answer(packet, .packetTooBig(mtu: 1280)) != nil)
        #expect(try Self.answer(packet, ICMPv6Error(type: 4, code: 2, rest: 40)) != nil)
    }
}
