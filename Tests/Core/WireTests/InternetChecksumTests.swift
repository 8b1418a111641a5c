// SPDX-License-Identifier: Apache-2.0
import Testing
import Wire

/// RFC 1071, and its incremental update by RFC 1624.
@Suite struct InternetChecksumTests {
    /// The obvious twin: word by word, with the carry brought around at once.
    static func slow(_ bytes: [UInt8]) -> UInt16 {
        var sum = 0
        for index in stride(from: 0, to: bytes.count, by: 2) {
            sum += Int(bytes[index]) << 8 + (index + 1 < bytes.count ? Int(bytes[index + 1]) : 0)
            if sum > 0xffff { sum -= 0xffff }
        }
        return UInt16(sum)
    }

    static func fast(_ bytes: [UInt8], _ range: Range<Int>) -> UInt16 {
        var sum = InternetChecksum()
        sum.add(bytes.span, in: range)
        return sum.folded
    }

    @Test func `every length at every alignment gives what the slow twin gives`() {
        let bytes = (0..<300).map { UInt8(truncatingIfNeeded: $0 * $0 * 31 + 7) }
        for start in 0..<17 {
            for end in start...bytes.count {
                #expect(Self.fast(bytes, start..<end) == Self.slow(Array(bytes[start..<end])))
            }
        }
    }

    @Test func `the largest packet of ones does not overflow`() {
        let bytes = [UInt8](repeating: 0xff, count: 65_575)
        #expect(Self.fast(bytes, 0..<bytes.count) == Self.slow(bytes))
    }

    @Test func `the example of RFC 1071`() {
        let bytes: [UInt8] = [0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7]
        #expect(Self.fast(bytes, 0..<8) == 0xddf2)
    }

    @Test func `the example of RFC 1624`() {
        // §4: HC = 0xdd2f, m = 0x5555, m' = 0x3285; equation 3 gives 0x0000, where the others go wrong.
        var change = InternetChecksum()
        change.subtract(0x5555)
        change.add(0x3285 as UInt16)
        #expect(change.applied(toChecksum: 0xdd2f) == 0x0000)
    }

    @Test func `an update gives what a recomputation gives`() {
        var bytes = (0..<40).map { UInt8($0 * 5) }
        let old = ~Self.slow(bytes)
        var change = InternetChecksum()
        for index in stride(from: 0, to: 20, by: 2) {
            change.subtract(bytes.span.uint16(at: index))
            bytes[index] = UInt8(truncatingIfNeeded: index &* 37)
            change.add(bytes.span.uint16(at: index))
        }
        #expect(change.applied(toChecksum: old) == ~Self.slow(bytes))
        #expect(change.applied(toPartialChecksum: ~old) == Self.slow(bytes))
    }

    @Test func `pseudo headers are summed as they stand`() {
        let source4 = IPv4Address(192, 0, 2, 33)
        let destination4 = IPv4Address(198, 51, 100, 2)
        let sum4 = InternetChecksum(pseudoHeaderFrom: source4, to: destination4, of: .udp, length: 0x1234)
        #expect(sum4.folded == Self.slow([192, 0, 2, 33, 198, 51, 100, 2, 0, 17, 0x12, 0x34]))
        let source6 = IPv6Address("2001:db8:1c0:2:21::")!
        let destination6 = IPv6Address("fe80::1234:5678:9abc:def0")!
        let sum6 = InternetChecksum(pseudoHeaderFrom: source6, to: destination6, of: .tcp, length: 0x1_0020)
        let octets = (0..<16).map(source6.octet) + (0..<16).map(destination6.octet)
        #expect(sum6.folded == Self.slow(octets + [0, 1, 0, 0x20, 0, 0, 0, 6]))
    }
}
