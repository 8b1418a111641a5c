// SPDX-License-Identifier: Apache-2.0
import TestPackets
import Testing
import Translation
import Wire

/// For any octets, nothing traps, and the output is a packet.
@Suite struct HostilePacketTests {
    /// One packet of each kind with its own code path.
    static let seeds: [[UInt8]] = {
        let mapped = IPv4Datagram(source: IPv4Address(8, 8, 8, 8), destination: IPv4Address(1, 0, 0, 8))
        let host = IPv6Datagram(
            source: IPv6Address("2001:db8:3::8")!, destination: IPv6Address("2001:db8:108:808:8::")!)
        let hairpin = IPv6Datagram(source: host.source, destination: IPv6Address("2001:db8:101:0:9::")!)
        let back4 = IPv4Datagram(source: mapped.destination, destination: mapped.source)
        let back6 = IPv6Datagram(source: host.destination, destination: host.source)
        var packets: [[UInt8]] = []
        for transport in [
            (6, tcp(1, 2, options: [1, 1, 1, 1], payload(20))), (17, udp(1, 2, payload(20))), (132, payload(20)),
        ]
            as [(UInt8, [UInt8])]
        {
            packets.append(mapped.packet(transport.0, transport.1))
            packets.append(host.packet(transport.0, transport.1))
            packets.append(hairpin.packet(transport.0, transport.1))
            packets.append(mapped.packet(1, icmp(3, 4, rest: 1400, back4.packet(transport.0, transport.1))))
            packets.append(host.packet(58, icmp(2, 0, rest: 1400, back6.packet(transport.0, transport.1))))
        }
        packets.append(mapped.packet(1, echo(8, identifier: 5, payload(9))))
        packets.append(host.packet(58, echo(128, identifier: 5, payload(9))))
        packets.append(
            mapped.packet(1, icmp(11, 0, rest: 32 << 16, back4.packet(17, udp(1, 2, payload(100))) + payload(24))))
        packets.append(
            host.packet(58, icmp(3, 0, rest: 18 << 24, back6.packet(17, udp(1, 2, payload(96))) + payload(24))))
        var fragment = mapped
        fragment.moreFragments = true
        fragment.options = [7, 7, 4, 0, 0, 0, 0, 0]
        packets.append(fragment.packet(17, udp(1, 2, payload(40))))
        var six = host
        six.extensions = [
            (0, [0, 0, 1, 4, 0, 0, 0, 0]), (43, [0, 0, 0, 0, 0, 0, 0, 0]),
            IPv6Datagram.fragment(offset: 0, more: true, identification: 7),
        ]
        packets.append(six.packet(17, udp(1, 2, payload(40))))
        packets.append(mapped.packet(17, udp(1, 2, payload(1900))))
        return packets
    }()

    static func translator() throws -> StatelessTranslator {
        let mapping = try #require(
            ExplicitAddressMapping(IPv4Prefix("1.0.0.0/24")!, IPv6Prefix("2001:db8:3::/120")!))
        let addresses = StatelessAddresses(
            mappings: try ExplicitAddressMappingTable([mapping]), prefix: try Pref64("2001:db8:100::/40"))
        return StatelessTranslator(addresses, seed: 1)
    }

    /// Translates, and looks at everything that comes out: the packet, its pieces, the error that answers it.
    static func send(
        _ bytes: [UInt8], through translator: inout StatelessTranslator, _ buffer: inout PacketBuffer,
        _ other: inout PacketBuffer
    ) -> Bool {
        buffer.replace(with: bytes.span)
        switch translator.translate(&buffer) {
        case .translated:
            check(buffer)
            return true
        case .pieces(var pieces):
            var count = 0
            while pieces.next(of: buffer, into: &other) {
                check(other)
                count += 1
            }
            #expect(count > 1)
            return true
        case .dropped(_, let answer):
            guard let answer else { return false }
            var builder = ICMPErrorBuilder(ipv4Source: IPv4Address(9, 9, 9, 9), ipv6Source: .loopback)
            var isMade = false
            switch answer {
            case .ipv4(let error):
                if let layout = try? IPv4Layout(buffer.bytes) {
                    isMade = builder.build(error, about: buffer, layout, into: &other)
                }
            case .ipv6(let error):
                if let layout = try? IPv6Layout(buffer.bytes) {
                    isMade = builder.build(error, about: buffer, layout, into: &other)
                }
            }
            if isMade { check(other) }
            return false
        }
    }

    /// Lengths agree with each other, and an ICMP error, which is summed anew, has a right checksum.
    static func check(_ packet: borrowing PacketBuffer) {
        let bytes = packet.bytes
        if bytes[0] >> 4 == 4 {
            guard let layout = try? IPv4Layout(bytes) else { return failed(packet.octets) }
            #expect(layout.totalLength == bytes.count)
            if layout.transport.kind == .icmpError { #expect(slowSum(Array(packet.octets[20...])) == 0xffff) }
        } else {
            guard let layout = try? IPv6Layout(bytes) else { return failed(packet.octets) }
            #expect(layout.payloadLength + 40 == bytes.count)
            if layout.transport.kind == .icmpError {
                let pseudoHeader = pseudoHeader(layout.source, layout.destination, 58, layout.transport.count)
                #expect(slowSum(pseudoHeader + packet.octets[40...]) == 0xffff)
            }
        }
    }

    static func failed(_ bytes: [UInt8]) { Issue.record("not a packet: \(bytes)") }

    /// The IPv4 header checksum made right again, so that a damaged packet gets past it.
    static func healed(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.count >= 20, bytes[0] >> 4 == 4 else { return bytes }
        let length = min(Int(bytes[0] & 0xf) * 4, bytes.count)
        guard length >= 20 else { return bytes }
        var result = bytes
        result.replaceSubrange(10..<12, with: [0, 0])
        result.replaceSubrange(10..<12, with: bigEndian(~slowSum(Array(result[..<length]))))
        return result
    }

    @Test func `the seeds are all translated`() throws {
        var translator = try Self.translator()
        var buffer = PacketBuffer()
        var other = PacketBuffer()
        for (index, seed) in Self.seeds.enumerated() {
            let isTranslated = Self.send(seed, through: &translator, &buffer, &other)
            #expect(isTranslated, "seed \(index)")
        }
    }

    @Test func `every truncated length is survived`() throws {
        var translator = try Self.translator()
        var buffer = PacketBuffer()
        var other = PacketBuffer()
        for seed in Self.seeds {
            for length in 0..<seed.count {
                // Once as it is, once with lengths that agree with the truncation.
                var bytes = Array(seed[..<length])
                _ = Self.send(bytes, through: &translator, &buffer, &other)
                if length >= 4 && seed[0] >> 4 == 4 { bytes.replaceSubrange(2..<4, with: bigEndian(UInt16(length))) }
                if length >= 40 && seed[0] >> 4 == 6 {
                    bytes.replaceSubrange(4..<6, with: bigEndian(UInt16(length - 40)))
                }
                _ = Self.send(Self.healed(bytes), through: &translator, &buffer, &other)
            }
        }
    }

    @Test func `every octet may be anything`() throws {
        var translator = try Self.translator()
        var buffer = PacketBuffer()
        var other = PacketBuffer()
        for seed in Self.seeds {
            for index in 0..<min(seed.count, 140) {
                for value: UInt8 in [0, 1, 0x0f, 0x40, 0x7f, 0x80, 0xff, seed[index] ^ 1, seed[index] &+ 4, 44, 58] {
                    var bytes = seed
                    bytes[index] = value
                    _ = Self.send(Self.healed(bytes), through: &translator, &buffer, &other)
                }
            }
        }
    }

    @Test func `damaged errors with a right checksum are survived`() throws {
        var translator = try Self.translator()
        var buffer = PacketBuffer()
        var other = PacketBuffer()
        for seed in Self.seeds where (seed[0] >> 4 == 4 && seed[9] == 1) || (seed[0] >> 4 == 6 && seed[6] == 58) {
            let header = seed[0] >> 4 == 4 ? 20 : 40
            for index in header + 4..<seed.count {
                for value: UInt8 in [
                    0, 0x0f, 0x45, 0x4f, 0x60, 0x7f, 0xff, seed[index] ^ 1, seed[index] &+ 1, 44, 58, 1,
                ] {
                    var bytes = seed
                    bytes[index] = value
                    bytes.replaceSubrange(header + 2..<header + 4, with: [0, 0])
                    var pseudoHeader: [UInt8] = []
                    if header == 40 {
                        pseudoHeader = Array(bytes[8..<40]) + bigEndian(UInt32(bytes.count - 40)) + [0, 0, 0, 58]
                    }
                    bytes.replaceSubrange(
                        header + 2..<header + 4, with: bigEndian(~slowSum(pseudoHeader + Array(bytes[header...]))))
                    _ = Self.send(bytes, through: &translator, &buffer, &other)
                }
            }
        }
    }

    @Test func `an offload may claim anything`() throws {
        var translator = try Self.translator()
        var buffer = PacketBuffer()
        var other = PacketBuffer()
        for seed in Self.seeds {
            for segmentation in [.none, .tcpIPv4, .tcpIPv6, .udp] as [Offload.Segmentation] {
                for number: UInt16 in [0, 1, 7, 20, 40, 1400, .max] {
                    buffer.replace(with: seed.span)
                    buffer.offload.segmentation = segmentation
                    buffer.offload.segmentSize = number
                    buffer.offload.hasPartialChecksum = number % 2 == 0
                    buffer.offload.checksumStart = number
                    buffer.offload.checksumOffset = number
                    if case .pieces(var pieces) = translator.translate(&buffer) {
                        while pieces.next(of: buffer, into: &other) { Self.check(other) }
                    }
                }
            }
        }
    }
}
