// SPDX-License-Identifier: Apache-2.0
import Testing
import Wire

/// The output of `Fields`, compared with bytes from the RFCs' diagrams, in a buffer full of 0xa5.
@Suite struct HeaderFieldsTests {
    static func written(_ count: Int, _ write: (inout MutableSpan<UInt8>) -> Void) -> [UInt8] {
        var bytes = [UInt8](repeating: 0xa5, count: count + 2)
        var span = bytes.mutableSpan
        write(&span)
        #expect(bytes[0] == 0xa5 && bytes[count + 1] == 0xa5)
        return Array(bytes[1...count])
    }

    @Test func IPv4() throws {
        var fields = IPv4Header.Fields(
            totalLength: 0x0102, protocolNumber: .tcp, source: IPv4Address(1, 2, 3, 4),
            destination: IPv4Address(5, 6, 7, 8))
        fields.tos = 0xb9
        fields.identification = 0xabcd
        fields.dontFragment = true
        fields.moreFragments = true
        fields.fragmentOffset = 0x1234 * 8
        fields.ttl = 9
        let bytes = Self.written(20) { fields.write(to: &$0, at: 1) }
        #expect(Array(bytes[..<10]) == [0x45, 0xb9, 1, 2, 0xab, 0xcd, 0x72, 0x34, 9, 6])
        #expect(Array(bytes[12...]) == [1, 2, 3, 4, 5, 6, 7, 8])
        var sum = InternetChecksum()
        sum.add(bytes.span, in: 0..<20)
        #expect(sum.checksum == 0)
    }

    @Test func IPv6() {
        var fields = IPv6Header.Fields(
            payloadLength: 0x0102, nextHeader: .udp, source: IPv6Address(1, 2, 3, 4, 5, 6, 7, 8),
            destination: IPv6Address(9, 10, 11, 12, 13, 14, 15, 16))
        fields.trafficClass = 0xb9
        fields.flowLabel = 0xabcde
        fields.hopLimit = 9
        let groups: [UInt8] = (1...16).flatMap { [0, $0] as [UInt8] }
        #expect(
            Self.written(40) { fields.write(to: &$0, at: 1) }
                == [0x6b, 0x9a, 0xbc, 0xde, 1, 2, 17, 9] + groups)
    }

    @Test func `a Fragment header has its offset in units of eight octets`() {
        let fields = IPv6FragmentHeader.Fields(
            nextHeader: .udp, fragmentOffset: 1232, moreFragments: true, identification: 0x0102_0304)
        #expect(Self.written(8) { fields.write(to: &$0, at: 1) } == [17, 0, 0x04, 0xd1, 1, 2, 3, 4])
    }

    @Test func TCP() {
        let fields = TCPHeader.Fields(
            sourcePort: 1, destinationPort: 2, sequenceNumber: 3, acknowledgmentNumber: 4, flags: [.syn, .ack, .cwr],
            window: 5)
        #expect(
            Self.written(20) { fields.write(to: &$0, at: 1) }
                == [0, 1, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0x50, 0x92, 0, 5, 0, 0, 0, 0])
    }

    @Test func UDP() {
        let fields = UDPHeader.Fields(sourcePort: 1, destinationPort: 2, udpLength: 8)
        #expect(Self.written(8) { fields.write(to: &$0, at: 1) } == [0, 1, 0, 2, 0, 8, 0, 0])
    }

    @Test func ICMP() {
        let fields = ICMPHeader.Fields(type: 3, code: 4, rest: 1500)
        #expect(Self.written(8) { fields.write(to: &$0, at: 1) } == [3, 4, 0, 0, 0, 0, 0x05, 0xdc])
    }
}
