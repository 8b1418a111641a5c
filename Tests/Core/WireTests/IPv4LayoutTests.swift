// SPDX-License-Identifier: Apache-2.0
import Testing
import Wire

/// RFC 791: what an examination of an IPv4 packet finds.
@Suite struct IPv4LayoutTests {
    /// IP 192.0.2.33.1 > 198.51.100.2.2: UDP, length 3, with four octets of options.
    static func packet(_ change: (inout [UInt8]) -> Void = { _ in }) -> [UInt8] {
        var bytes: [UInt8] = [
            0x46, 0, 0, 35, 0x12, 0x34, 0x40, 0, 64, 17, 0, 0, 192, 0, 2, 33, 198, 51, 100, 2, 1, 1, 1, 0,
            0, 1, 0, 2, 0, 11, 0xab, 0xcd, 7, 8, 9,
        ]
        change(&bytes)
        var sum = InternetChecksum()
        let headerLength = min(Int(bytes[0] & 0xf) * 4, bytes.count)
        sum.add(bytes.span, in: 0..<headerLength)
        bytes[10] = UInt8(sum.checksum >> 8)
        bytes[11] = UInt8(sum.checksum & 0xff)
        return bytes
    }

    static func failure(_ bytes: [UInt8]) -> WireError? {
        do throws(WireError) {
            _ = try IPv4Layout(bytes.span)
            return nil
        } catch {
            return error
        }
    }

    @Test func `everything is found in one pass`() throws {
        let layout = try IPv4Layout(Self.packet().span)
        #expect(layout.start == 0)
        #expect(layout.headerLength == 24)
        #expect(layout.totalLength == 35)
        #expect(layout.source == IPv4Address(192, 0, 2, 33))
        #expect(layout.destination == IPv4Address(198, 51, 100, 2))
        #expect(layout.dontFragment)
        #expect(layout.fragment == FragmentPosition(offset: 0, moreFollow: false, identification: 0x1234))
        #expect(layout.transport.kind == .udp)
        #expect(layout.transport.offset == 24)
        #expect(layout.transport.count == 11)
        #expect(layout.transport.sourcePort == 1)
        #expect(layout.transport.destinationPort == 2)
        #expect(layout.end == 35)
    }

    @Test func `octets behind the total length are padding`() throws {
        let layout = try IPv4Layout((Self.packet() + [1, 2, 3]).span)
        #expect(layout.end == 35)
    }

    @Test func `every truncation is told`() {
        let packet = Self.packet()
        for length in 0..<packet.count {
            let needed = length < 20 ? 20 : length < 24 ? 24 : 35
            #expect(Self.failure(Array(packet[..<length])) == .truncated(needed: needed, available: length))
        }
    }

    @Test func `contradictions are told`() {
        #expect(Self.failure(Self.packet { $0[0] = 0x66 }) == .wrongVersion(6))
        #expect(Self.failure(Self.packet { $0[0] = 0x44 }) == .headerTooShort(words: 4))
        #expect(Self.failure(Self.packet { $0[3] = 23 }) == .lengthTooSmall(23))
        #expect(Self.failure(Self.packet { $0[29] = 7 }) == .wrongUDPLength(7))
        #expect(Self.failure(Self.packet { $0[29] = 12 }) == .wrongUDPLength(12))
        #expect(Self.failure(Self.packet { $0[3] = 31 }) == .truncated(needed: 8, available: 7))
        #expect(
            Self.failure(Self.packet { $0.replaceSubrange(6..<8, with: [0x1f, 0xff]) })
                == .fragmentBeyondLimit(end: 65_539))
        var wrong = Self.packet()
        wrong[15] ^= 1
        #expect(Self.failure(wrong) == .wrongHeaderChecksum)
    }

    @Test func `a first fragment may promise more`() throws {
        let layout = try IPv4Layout(
            Self.packet {
                $0[6] = 0x20
                $0[29] = 200
            }.span)
        #expect(layout.transport.kind == .udp)
        #expect(!layout.fragment.isWhole)
    }

    @Test func `a later fragment has no transport header`() throws {
        let layout = try IPv4Layout(Self.packet { $0.replaceSubrange(6..<8, with: [0, 5]) }.span)
        #expect(layout.transport.kind == .laterFragment)
        #expect(layout.transport.sourcePort == 0)
        #expect(layout.fragment.offset == 40)
    }

    @Test func `kinds of transport are told apart`() throws {
        func kind(_ number: UInt8, _ transport: [UInt8]) throws -> TransportLayout.Kind {
            try IPv4Layout(
                Self.packet {
                    $0[9] = number
                    $0[3] = UInt8(24 + transport.count)
                    $0.replaceSubrange(24..., with: transport)
                }.span
            ).transport.kind
        }
        let rest = [UInt8](repeating: 0, count: 19)
        #expect(try kind(1, [0] + rest) == .icmpEcho)
        #expect(try kind(1, [8] + rest) == .icmpEcho)
        for type: UInt8 in [3, 4, 5, 11, 12] { #expect(try kind(1, [type] + rest) == .icmpError) }
        for type: UInt8 in [9, 10, 13, 14, 17, 18, 40, 42, 255] { #expect(try kind(1, [type] + rest) == .icmpOther) }
        #expect(try kind(58, []) == .opaque, "the other family's ICMP is nothing that IPv4 knows")
        #expect(try kind(59, []) == .opaque)
        #expect(throws: WireError.wrongDataOffset(words: 4)) {
            try kind(6, Array(repeating: 0, count: 12) + [0x40] + Array(repeating: 0, count: 7))
        }
        #expect(throws: WireError.truncated(needed: 24, available: 20)) {
            try kind(6, Array(repeating: 0, count: 12) + [0x60] + Array(repeating: 0, count: 7))
        }
    }
}
