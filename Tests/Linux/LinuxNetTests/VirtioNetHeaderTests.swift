// SPDX-License-Identifier: Apache-2.0
import Testing
import Wire

@testable import LinuxNet

@Suite struct `The virtio_net_hdr` {
    /// Bytes as the kernel lays them out on a little-endian machine: flags, gso_type, hdr_len, gso_size, csum_start,
    /// csum_offset.
    static let superPacket: [UInt8] = [0x01, 0x04, 0x3c, 0x00, 0xa0, 0x05, 0x28, 0x00, 0x10, 0x00]

    func decode(_ bytes: [UInt8], packetLength: Int, behind linkHeader: UInt16 = 0) -> Offload? {
        unsafe bytes.withUnsafeBytes {
            unsafe VirtioNetHeader.decode($0, packetLength: packetLength, behind: linkHeader)
        }
    }

    func encode(_ offload: Offload, before linkHeader: UInt16 = 0) -> [UInt8] {
        var bytes = [UInt8](repeating: 0xa5, count: VirtioNetHeader.size)
        unsafe bytes.withUnsafeMutableBytes { unsafe VirtioNetHeader.encode(offload, into: $0, before: linkHeader) }
        return bytes
    }

    @Test func `describes a TCP super-packet`() throws {
        let offload = try #require(decode(Self.superPacket, packetLength: 60_000))
        #expect(offload.segmentation == .tcpIPv6)
        #expect(offload.headerLength == 60)
        #expect(offload.segmentSize == 1440)
        #expect(offload.hasPartialChecksum)
        #expect(offload.checksumStart == 40)
        #expect(offload.checksumOffset == 16)
        #expect(!offload.hasECN)
        #expect(encode(offload) == Self.superPacket)
    }

    @Test func `counts from the link's header, where there is one`() throws {
        let offload = try #require(decode(Self.superPacket, packetLength: 60_000))
        let framed: [UInt8] = [0x01, 0x04, 0x4a, 0x00, 0xa0, 0x05, 0x36, 0x00, 0x10, 0x00]
        #expect(encode(offload, before: 14) == framed)
        #expect(decode(framed, packetLength: 60_000, behind: 14) == offload)
        // A checksum that begins in the link's header, and one that ends after the packet.
        #expect(decode([1, 0, 0, 0, 0, 0, 13, 0, 6, 0], packetLength: 100, behind: 14) == nil)
        #expect(decode([1, 0, 0, 0, 0, 0, 107, 0, 6, 0], packetLength: 100, behind: 14) == nil)
        #expect(decode([1, 0, 0, 0, 0, 0, 106, 0, 6, 0], packetLength: 100, behind: 14)?.checksumStart == 92)
        // An offset that overflows the field is clamped, as it is more than the kernel accepts.
        var far = Offload.none
        far.hasPartialChecksum = true
        far.checksumStart = .max
        #expect(encode(far, before: 14)[6...7] == [0xff, 0xff])
    }

    @Test(arguments: [Offload.Segmentation.none, .tcpIPv4, .tcpIPv6, .udp], [false, true])
    func `reads what it has written`(segmentation: Offload.Segmentation, flag: Bool) {
        var offload = Offload.none
        offload.segmentation = segmentation
        if segmentation != .none {
            offload.segmentSize = 1200
            offload.headerLength = 48
            offload.hasECN = flag
        }
        offload.hasPartialChecksum = flag
        if flag {
            offload.checksumStart = 40
            offload.checksumOffset = 6
        }
        #expect(decode(encode(offload), packetLength: 1500) == offload)
    }

    @Test func `of a plain packet is all zeros`() {
        #expect(encode(.none) == [UInt8](repeating: 0, count: 10))
        #expect(decode([UInt8](repeating: 0, count: 10), packetLength: 20) == Offload.none)
    }

    @Test func `ignores that the kernel has verified the checksum`() {
        #expect(decode([2, 0, 0, 0, 0, 0, 0, 0, 0, 0], packetLength: 20) == Offload.none)
    }

    @Test(
        arguments: [
            // A checksum field that ends one octet behind the packet, or far away.
            [0x01, 0, 0, 0, 0, 0, 40, 0, 59, 0], [0x01, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff],
            // Segments of no length, or with more header than there is packet.
            [0x00, 1, 40, 0, 0, 0, 0, 0, 0, 0], [0x00, 1, 101, 0, 100, 0, 0, 0, 0, 0],
            // UDP fragmentation and kinds that do not exist.
            [0x00, 3, 40, 0, 100, 0, 0, 0, 0, 0], [0x00, 0x7f, 40, 0, 100, 0, 0, 0, 0, 0],
            [0, 0x80, 0, 0, 0, 0, 0, 0, 0, 0],
        ] as [[UInt8]])
    func `is refused where it contradicts itself or the packet`(bytes: [UInt8]) {
        #expect(decode(bytes, packetLength: 100) == nil)
    }

    @Test func `never traps, whatever it holds`() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<10_000 {
            let bytes = (0..<10).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            let length = Int.random(in: 1...70_000, using: &generator)
            for linkHeader in [UInt16(0), 14] {
                guard let offload = decode(bytes, packetLength: length, behind: linkHeader) else { continue }
                #expect(Int(offload.headerLength) <= length)
                #expect(Int(offload.checksumStart) < length)
            }
        }
    }
}
