// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Capture

@Suite struct PacketFileWriterTests {
    @Test func `the file is what tcpdump reads`() throws {
        let path = NSTemporaryDirectory() + "capture-\(UUID().uuidString).pcap"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let writer = try PacketFileWriter(path: path)
        let packet: [UInt8] = [0x60, 0, 0, 0, 0, 0, 59, 64] + [UInt8](repeating: 0x20, count: 32)
        writer.write(packet.span, at: 1_700_000_000_123_456_789)
        try writer.close()

        let bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
        // The magic number of nanosecond files, version 2.4, …, LINKTYPE_RAW (101); little endian on this machine.
        #expect(Array(bytes[0..<8]) == [0x4d, 0x3c, 0xb2, 0xa1, 2, 0, 4, 0])
        #expect(Array(bytes[20..<24]) == [101, 0, 0, 0])
        let seconds = UInt32(1_700_000_000)
        #expect(Array(bytes[24..<28]) == (0..<4).map { UInt8(truncatingIfNeeded: seconds >> (8 * $0)) })
        let fraction = UInt32(123_456_789)
        #expect(Array(bytes[28..<32]) == (0..<4).map { UInt8(truncatingIfNeeded: fraction >> (8 * $0)) })
        #expect(Array(bytes[32..<40]) == [40, 0, 0, 0, 40, 0, 0, 0])
        #expect(Array(bytes[40...]) == packet)
    }

    @Test func `a place that cannot be written is said at once`() {
        #expect(throws: CaptureError(path: "/nonexistent/x.pcap", reason: "No such file or directory")) {
            _ = try PacketFileWriter(path: "/nonexistent/x.pcap")
        }
    }

    @Test func `a full disk is said at the end`() throws {
        #expect(throws: CaptureError(path: "/dev/full", reason: "No space left on device")) {
            let writer = try PacketFileWriter(path: "/dev/full")
            writer.write([0x60, 0, 0].span, at: 0)
            try writer.close()
        }
    }
}
