// SPDX-License-Identifier: Apache-2.0
import Testing
import Wire

@Suite struct ByteOrderTests {
    @Test func `numbers are read most significant octet first at any offset`() {
        let bytes: [UInt8] = [0, 0x12, 0x34, 0x56, 0x78]
        #expect(bytes.span.uint16(at: 1) == 0x1234)
        #expect(bytes.span.uint32(at: 1) == 0x1234_5678)
        #expect(bytes.span.ipv4Address(at: 1) == IPv4Address(0x12, 0x34, 0x56, 0x78))
    }
}
