// SPDX-License-Identifier: Apache-2.0
import Glibc
import LinuxNet
import Testing
import Wire

@testable import Capture

@Suite struct `A packet file that is read` {
    /// A path in a folder of its own, removed in the end.
    final class Place {
        let folder: String
        var path: String { folder + "/packets.pcap" }

        init() throws {
            folder = "/tmp/capture-test-\(UInt64.random(in: .min ... .max))"
            if unsafe mkdir(folder, 0o700) != 0 { throw SystemError("mkdir", Errno(errno), what: folder) }
        }

        deinit {
            unsafe unlink(path)
            unsafe rmdir(folder)
        }

        func write(_ bytes: [UInt8]) throws {
            let number = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
            if number < 0 { throw SystemError("open", Errno(errno), what: path) }
            let file = Descriptor(owning: number)
            #expect(
                unsafe bytes.withUnsafeBytes { unsafe Glibc.write(file.number, $0.baseAddress, $0.count) }
                    == bytes.count)
        }

        /// Every record, with its packet's octets.
        func readAll() throws -> [(record: PacketFileReader.Record, bytes: [UInt8])] {
            var reader = try PacketFileReader.open(path)
            var buffer = PacketBuffer()
            var records: [(record: PacketFileReader.Record, bytes: [UInt8])] = []
            while let record = try reader.next(into: &buffer) {
                let bytes = buffer.bytes
                records.append((record, bytes.indices.map { bytes[$0] }))
            }
            return records
        }
    }

    static let packet: [UInt8] = [0x60, 0, 0, 0, 0, 4, 59, 64] + [UInt8](repeating: 7, count: 36)
    static let time: Int64 = 1_700_000_000_123_456_789

    @Test func `is read as it was written, super-packets included`() throws {
        let place = try Place()
        let large = [0x45] + [UInt8](repeating: 0xa5, count: 65_534)
        let writer = try PacketFileWriter(path: place.path)
        writer.write(Self.packet.span, at: Self.time)
        writer.write(large.span, at: Self.time + 1)
        try writer.close()
        let records = try place.readAll()
        #expect(records.map(\.record.number) == [1, 2])
        #expect(records.map(\.record.time) == [Self.time, Self.time + 1])
        #expect(records.map(\.bytes) == [Self.packet, large])
        #expect(records.allSatisfy { $0.record.isIP && !$0.record.isTruncated })
    }

    @Test func `cannot be read where there is none`() {
        #expect(throws: CaptureError(path: "/nonexistent/x.pcap", reason: "No such file or directory")) {
            _ = try PacketFileReader.open("/nonexistent/x.pcap")
        }
    }

    /// A classic pcap file with microseconds: header, then records of (seconds, microseconds, bytes).
    static func pcap(linkType: UInt8, _ frames: [(UInt32, UInt32, [UInt8])], cut: Int = 0) -> [UInt8] {
        func number(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        var file: [UInt8] = [0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0] + [UInt8](repeating: 0, count: 8)
        file += number(65_535) + [linkType, 0, 0, 0]
        for (seconds, microseconds, frame) in frames {
            file += number(seconds) + number(microseconds) + number(UInt32(frame.count))
            file += number(UInt32(frame.count + cut)) + frame
        }
        return file
    }

    @Test func `of Ethernet is stripped, and what is no IP keeps its number`() throws {
        let place = try Place()
        let addresses = [UInt8](repeating: 2, count: 12)
        try place.write(
            Self.pcap(
                linkType: 1,
                [(1, 2, addresses + [0x08, 0x06, 1, 2, 3]), (3, 4, addresses + [0x86, 0xdd] + Self.packet)]))
        let records = try place.readAll()
        #expect(records.map(\.record.isIP) == [false, true])
        #expect(records.map(\.record.number) == [1, 2])
        #expect(records.map(\.record.time) == [1_000_002_000, 3_000_004_000])
        #expect(records.map(\.bytes) == [[], Self.packet])
    }

    @Test func `says which packets were cut off when they were captured`() throws {
        let place = try Place()
        try place.write(Self.pcap(linkType: 101, [(0, 0, Self.packet)], cut: 10))
        #expect(try place.readAll().map(\.record.isTruncated) == [true])
    }

    @Test func `of another kind, empty or no packet file at all is refused`() throws {
        let place = try Place()
        try place.write(Self.pcap(linkType: 105, []))
        let error = #expect(throws: CaptureError.self) { _ = try PacketFileReader.open(place.path) }
        #expect(error?.reason.hasPrefix("link type 105 ") == true)
        for bytes in [[], [1, 2, 3], [UInt8](repeating: 0, count: 100)] as [[UInt8]] {
            try place.write(bytes)
            #expect(throws: CaptureError.self) { _ = try PacketFileReader.open(place.path) }
        }
    }

    @Test func `never traps, wherever it ends and whatever octet is changed`() throws {
        let place = try Place()
        let bytes = Self.pcap(linkType: 1, [(1, 2, [UInt8](repeating: 0x45, count: 40)), (.max, .max, Self.packet)])
        for length in bytes.indices {
            try place.write(Array(bytes.prefix(length)))
            _ = try? place.readAll()
        }
        for index in bytes.indices {
            var changed = bytes
            changed[index] = 0xff
            try place.write(changed)
            _ = try? place.readAll()
        }
    }
}
